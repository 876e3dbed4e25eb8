import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { errors } from '@elastic/elasticsearch'
import { connect } from '../../src/store/client.ts'
import { openDb } from '../../src/store/db.ts'
import { openHistories } from './support/histories.ts'
import { freePort, openNode } from './support/node.ts'
import { openRegistry } from './support/registry.ts'
import type { Figure, Scenario, Scene } from './support/scenario.ts'

const PREFIX = 'farmacias'
const PASSWORD = 'una-clave-inventada'
/** bcrypt of PASSWORD, as `elasticsearch-users` would store it. */
const HASH = '$2a$10$abcdefghijklmnopqrstuunebOI7Hiu5Bs7tLRsU9qP.p.KNT1Otu'
const USERS = ['registry_api', 'registry_loader', 'registry_operator'] as const
type User = (typeof USERS)[number]

const run = promisify(execFile)
const CLI = new URL('../../src/cli.ts', import.meta.url).pathname
const ROLES = new URL('../../deploy/elasticsearch/roles.yml', import.meta.url)

/** The roles of deploy/elasticsearch/roles.yml on a node with security on: each part can do its work and no more. */
export const roles: Scenario = {
  name: 'roles',
  hasOwnNodes: true,
  isLongOnly: true,
  async run(scene) {
    const node = await openNode({
      settings: {
        'xpack.security.enabled': true,
        'xpack.security.http.ssl.enabled': false,
        'xpack.security.transport.ssl.enabled': false,
      },
      config: {
        'roles.yml': await readFile(ROLES, 'utf8'),
        users: USERS.map((user) => `${user}:${HASH}\n`).join(''),
        users_roles: USERS.map((user) => `${user}:${user}\n`).join(''),
      },
      credentials: { username: 'registry_operator', password: PASSWORD },
    })
    try {
      return await tryEverything(scene, node.url)
    } finally {
      await node.stop()
    }
  },
}

async function tryEverything(scene: Scene, url: string): Promise<Figure[]> {
  const { violations } = scene
  const as = (user: User) => connect({ url, username: user, password: PASSWORD })
  const environment = (user: User, more: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    ELASTICSEARCH_URL: url,
    ELASTICSEARCH_USERNAME: user,
    ELASTICSEARCH_PASSWORD: PASSWORD,
    INDEX_PREFIX: PREFIX,
    INDEX_REPLICAS: '0',
    LOG_LEVEL: 'warn',
    ...more,
  })
  const cli = async (user: User, args: string[], more: Record<string, string> = {}) => {
    const options = { env: environment(user, more), maxBuffer: 16 * 1024 * 1024 }
    return (
      await run(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], options)
    ).stdout
  }

  await cli('registry_operator', ['setup'])
  const { key } = JSON.parse(
    await cli('registry_operator', ['keys', 'issue', '--name', 'prueba', '--json']),
  ) as { key: string }

  // The loader loads.
  const registry = await openRegistry({
    url,
    prefix: PREFIX,
    client: as('registry_loader'),
  })
  const histories = openHistories({
    folder: registry.folder,
    seed: 1,
    territories: ['ES-MD'],
    sizes: [50, 100],
  })
  for (let count = 0; count < 2; count += 1) {
    const loaded = await registry.load(histories.request(histories.next('ES-MD')))
    violations.check(loaded.status === 'committed', `the loader's load ended ${loaded.error}`)
  }
  violations.check((await registry.broken()).length === 0, 'verify does not hold')

  // The API serves, and what it may not do it is refused.
  const port = String(await freePort())
  const api = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CLI, 'serve', '--port', port],
    { env: environment('registry_api'), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const log: string[] = []
  await new Promise<void>((resolve, reject) => {
    api.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${log.join('\n')}`)))
    createInterface({ input: api.stderr }).on('line', (line) => {
      log.push(line)
      if (line.startsWith('Serving on')) resolve()
    })
  })
  for (const path of [
    '/health/ready',
    '/v1/farmacias/export/ES-MD/json',
    '/v1/key',
    '/v1/farmacias/loads',
  ]) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': key } })
    violations.check(
      answer.status === 200,
      `${path} as registry_api: ${answer.status} ${await answer.text()}`,
    )
  }
  api.removeAllListeners('exit')
  api.kill('SIGTERM')
  violations.check(
    !log.some((line) => line.includes('"level":"error"')),
    `serve logs errors: ${log.join('\n')}`,
  )
  const refusals = await refusedWrites(scene, 'registry_api', openDb(as('registry_api'), PREFIX))
  const foreign = await refusedForeign(scene, as)

  // The operator backs up.
  await cli('registry_operator', ['backup', 'create'])
  const verdict = JSON.parse(await cli('registry_operator', ['verify', '--json'])) as {
    ok: boolean
  }
  violations.check(verdict.ok, 'verify as operator does not hold')
  return [
    {
      fault: 'writes tried with the role of the API',
      times: refusals,
      outcome: 'all refused (403)',
    },
    { fault: 'other indices tried with each role', times: foreign, outcome: 'all refused (403)' },
  ]
}

/** Every kind of write the product knows, tried with rights that do not cover it. */
async function refusedWrites(
  { violations }: Scene,
  user: User,
  db: ReturnType<typeof openDb>,
): Promise<number> {
  const { client } = db
  const tries: Record<string, () => Promise<unknown>> = {
    'state document': () =>
      client.index({ index: db.alias('state'), id: 'registry', document: { body: {} } }),
    'a key': () => client.update({ index: db.alias('keys'), id: 'x', doc: { revoked_at: null } }),
    'a new key': () => client.create({ index: db.alias('keys'), id: 'x', document: { id: 'x' } }),
    'a version': () =>
      client.index({ index: db.alias('pharmacies'), document: { external_id: '1' } }),
    'a journal entry': () => client.delete({ index: db.alias('runs'), id: 'es-md-1' }),
    'an index': () => client.indices.create({ index: `${PREFIX}-other` }),
    'deleting an index': () => client.indices.delete({ index: `${db.alias('events')}-000001` }),
    'a template': () =>
      client.indices.putIndexTemplate({
        name: db.alias('keys'),
        index_patterns: [`${PREFIX}-keys-*`],
      }),
    'an alias': () =>
      client.indices.putAlias({ index: `${db.alias('keys')}-000001`, name: `${PREFIX}-other` }),
  }
  for (const [what, attempt] of Object.entries(tries)) {
    violations.check(await isRefused(attempt), `${user} may write ${what}`)
  }
  // A bulk is answered item by item.
  const bulk = await client
    .bulk({ operations: [{ index: { _index: db.alias('changes') } }, { id: 1 }] })
    .then((answer) => answer.items[0]?.index?.status === 403)
    .catch((cause: unknown) => cause instanceof errors.ResponseError && cause.statusCode === 403)
  violations.check(bulk, `${user} may write a bulk`)
  await client.close()
  return Object.keys(tries).length + 1
}

async function refusedForeign(
  { violations }: Scene,
  as: (user: User) => ReturnType<typeof connect>,
): Promise<number> {
  for (const user of USERS) {
    const client = as(user)
    const isSafe = await isRefused(() => client.search({ index: 'somebody-elses' }))
    violations.check(isSafe, `${user} may read other indices`)
    await client.close()
  }
  return USERS.length
}

async function isRefused(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt()
    return false
  } catch (cause) {
    if (cause instanceof errors.ResponseError) return cause.statusCode === 403
    throw cause
  }
}

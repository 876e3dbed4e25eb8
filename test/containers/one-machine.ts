import assert from 'node:assert/strict'
import { callEverything, get } from './endpoints.ts'
import { placeRegister } from './register.ts'
import { openStack, run, type Stack, until } from './stack.ts'

/** docker-compose.yml as an operator would use it, from the first start over an upgrade to the end. */
export async function oneMachine(folder: string, say: (text: string) => void): Promise<void> {
  const stack = await openStack(folder, ['docker-compose.yml'])
  const { compose, apis, operator } = stack
  placeRegister(stack.sources)
  try {
    await compose(['up', '-d'])
    await ready(stack)
    say('up: Elasticsearch, two APIs, a loader')

    const issued = await operator('keys', 'issue', '--name', 'containers', '--json')
    const { key } = JSON.parse(issued.stdout.trim().split('\n').at(-1) as string) as { key: string }
    await until('the loader loads what was never loaded', async () => {
      const { items } = await territories(apis[0], key)
      assert.deepEqual(items, ['ES-AR'])
    })
    say('the loader loaded a register of its own accord')
    await operator('demo')
    for (const api of apis) say(`${await callEverything(api, key)} addresses of ${api} answer`)
    await operator('verify')
    say('verify: every invariant holds')

    await operator('backup', 'create')
    const backups = await operator('backup', 'list', '--json')
    assert.equal((JSON.parse(backups.stdout) as unknown[]).length, 1)
    say('a backup lies in the repository')

    await boundaries(stack)
    say('not root, nothing to write to, metrics inside only, and the API’s role cannot write')
    await oneStops(stack, key)
    say('one API stopped: the other answers')
    await upgrade(stack, key)
    say('upgraded one by one without a refused request; the data is the same')
  } catch (cause) {
    const { stdout } = await compose(['logs', '--no-color', '--tail', '20'], { mayFail: true })
    process.stderr.write(stdout)
    throw cause
  } finally {
    await compose(['down', '--volumes', '--remove-orphans'], { mayFail: true })
  }
  say('down')
}

async function ready({ apis }: Pick<Stack, 'apis'>): Promise<void> {
  for (const api of apis) {
    await until(`${api} is ready`, async () => {
      assert.equal((await fetch(`${api}/health/ready`)).status, 200)
    })
  }
}

async function territories(api: string, key: string): Promise<{ items: string[] }> {
  const answer = await get(api, '/v1/farmacias/territories', key)
  const { items } = (await answer.json()) as {
    items: { territory_code: string; loaded: boolean }[]
  }
  return { items: items.filter(({ loaded }) => loaded).map((each) => each.territory_code) }
}

/** What a container may not do, and what is not to be seen from outside. */
async function boundaries({ exec }: Stack): Promise<void> {
  assert.equal((await exec('api-1', 'id', '-u')).stdout.trim(), '1000')
  assert.notEqual((await exec('api-1', 'touch', '/app/x')).code, 0, 'the root file system')
  const wrote = await exec('api-1', 'node', 'src/cli.ts', 'keys', 'issue', '--name', 'forbidden')
  assert.notEqual(wrote.code, 0, 'the role of the API')
  assert.match(wrote.stdout + wrote.stderr, /security_exception|unauthorized|refused/)
  for (const service of ['api-1', 'loader']) {
    const scraped = await exec(
      service,
      'node',
      '--eval',
      "fetch('http://127.0.0.1:9464/metrics').then((a) => a.text()).then(console.log)",
    )
    assert.match(scraped.stdout, /^pharmacy_registry_elasticsearch_up 1$/m, service)
    assert.match(scraped.stdout, /^pharmacy_registry_last_change_id [1-9]/m, service)
  }
}

async function oneStops({ compose, apis }: Stack, key: string): Promise<void> {
  await compose(['stop', 'api-1'])
  await assert.rejects(fetch(`${apis[0]}/health/live`))
  assert.equal((await get(apis[1], '/v1/farmacias/territories', key)).status, 200)
  await compose(['start', 'api-1'])
  await until('api-1 is back', async () => {
    assert.equal((await fetch(`${apis[0]}/health/ready`)).status, 200)
  })
}

/** Replaces every process by one of another image, while the API that is not being replaced is asked all the time. */
async function upgrade(stack: Stack, key: string): Promise<void> {
  const { compose, apis } = stack
  const shown = () => get(apis[0], '/v1/farmacias/export/ES-MD/csv', key)
  const before = await (await shown()).text()
  stack.use('test-next')
  await compose(['run', '--rm', '-T', 'setup'])
  for (const [at, service] of ['api-1', 'api-2'].entries()) {
    const other = apis[1 - at] as string
    await answeringMeanwhile(other, key, async () => {
      await compose(['up', '-d', '--no-deps', service])
      await ready(stack)
    })
  }
  await compose(['up', '-d', '--no-deps', 'loader'])
  for (const service of ['api-1', 'api-2', 'loader']) {
    const id = (await compose(['ps', '-q', service])).stdout.trim()
    const { stdout } = await run('docker', ['inspect', '--format', '{{.Config.Image}}', id])
    assert.equal(stdout.trim(), 'pharmacy-registry:test-next', service)
  }
  assert.equal(await (await shown()).text(), before)
}

async function answeringMeanwhile(
  api: string,
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  let isWorking = true
  const asking = (async () => {
    while (isWorking) {
      const answer = await get(api, '/v1/farmacias/territories', key)
      assert.equal(answer.status, 200, `${api} during the upgrade`)
      await answer.text()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  try {
    await Promise.race([work(), asking])
  } finally {
    isWorking = false
    await asking
  }
}

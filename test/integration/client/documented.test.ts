import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPublisher, type Publisher } from '../../support/publisher.ts'
import { aListed } from '../../support/register.ts'

/** The worked examples of docs/mirror.md run as they stand there. */

const ROOT = join(import.meta.dirname, '../../..')
const page = readFileSync(join(ROOT, 'docs/mirror.md'), 'utf8')
const block = (language: string, nth = 0) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][nth]?.[1] ?? ''

let published: Publisher
beforeAll(async () => {
  published = await openPublisher()
  const odd = [
    aListed('0', { name: 'Farmacia "La Ñ" \\ 24 h', latitude: 40.000001, longitude: -0.000001 }),
    aListed('1', { latitude: null, longitude: null, state: 'C' }),
    aListed('\u{1F48A}2', { owner: '' }),
  ]
  await published.load('ES-MD', odd)
  await published.load('ES-CT', [aListed('7')])
  await published.load('ES-MD', [...odd.slice(1), aListed('3', { latitude: 40, longitude: -3 })])
})
afterAll(() => published.close())

async function run(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      BASE_URL: published.service.url,
      API_KEY: await published.service.key(),
      TERRITORY: 'ES-MD',
      OUT: join(published.folder, 'out'),
    },
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  return text.trim()
}

test('TypeScript: the mirror is equal', async () => {
  const file = join(published.folder, 'example.ts')
  writeFileSync(file, block('ts').replaceAll("'./client/", `'${ROOT}/client/`))
  const digests = await Promise.all(
    ['ES-CT', 'ES-MD'].map(async (territory) => {
      const { body } = await published.service.get(`/v1/farmacias/territories/${territory}/digest`)
      return `${territory} ${body.count} ${body.digest} equal`
    }),
  )
  expect(await run(process.execPath, ['--disable-warning=ExperimentalWarning', file])).toBe(
    digests.join('\n'),
  )
})

test('curl: the export and where to go on', async () => {
  const cursor = await run('bash', ['-c', block('sh', 1)])
  expect(Number(cursor)).toBe((await published.registry.state()).last_change_id)
  const { text } = await published.service.get('/v1/farmacias/export/ES-MD/ndjson')
  expect(readFileSync(join(published.folder, 'out'), 'utf8')).toBe(text)
})

test('Python: the digest of another language is the same', async () => {
  expect(await run('python3', ['-c', block('python')])).toBe('True')
})

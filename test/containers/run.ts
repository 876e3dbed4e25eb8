import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cluster } from './cluster.ts'
import { oneMachine } from './one-machine.ts'
import { ROOT, run } from './stack.ts'

/**
 * The containers, for real: builds the image, brings both stacks up, uses, upgrades and removes them, then runs the
 * integration tests against an Elasticsearch in a container. Needs a Docker engine that has or can pull the images
 * named in Dockerfile and docker-compose.yml; where the reaper of testcontainers cannot be pulled, set
 * TESTCONTAINERS_RYUK_DISABLED=true. Takes about a quarter of an hour.
 *
 *   npm run test:containers
 *   npm run test:containers -- --only stack     one of: stack, cluster, tests
 */
const PARTS = { stack: oneMachine, cluster, tests: integrationTests }

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const began = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'registry-containers-'))
try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const { code } = await run('docker', ['info'], { mayFail: true })
  if (code !== 0) throw new Error('No Docker engine is reachable: start one, then run this again.')
  const parts = Object.entries(PARTS).filter(([name]) => !values.only || values.only === name)
  if (parts.length === 0) throw new Error(`--only: one of ${Object.keys(PARTS).join(', ')}`)
  await run('docker', ['build', '--tag', 'pharmacy-registry:test', '.'])
  await run('docker', ['build', '--tag', 'pharmacy-registry:test-next', '--label', 'next=1', '.'])
  say('image built')
  for (const [name, part] of parts) await part(folder, (text) => say(`${name}: ${text}`))
  say('passed')
}

function say(text: string): void {
  const seconds = Math.round((Date.now() - began) / 1000)
  process.stdout.write(`${String(seconds).padStart(5)} s  ${text}\n`)
}

/** The same tests as `npm test`, against the node that testcontainers starts. */
async function integrationTests(_folder: string, tell: (text: string) => void): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'integration'],
    {
      cwd: ROOT,
      env: { ...process.env, TEST_ELASTICSEARCH_FROM: 'docker' },
      stdio: 'inherit',
    },
  )
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve(status ?? 1))
  })
  if (code !== 0) throw new Error(`the integration tests ended with ${code}`)
  tell('the integration tests pass on a node in a container')
}

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program to its end; its messages are shown when it fails unexpectedly. */
export async function run(
  command: string,
  args: readonly string[],
  { mayFail = false, env = {} }: { mayFail?: boolean; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended: Ended = { code: -1, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    ended.stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    ended.stderr += chunk.toString()
  })
  ended.code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? -1))
  })
  if (ended.code === 0 || mayFail) return ended
  throw new Error(
    `${command} ${args.join(' ')} ended with ${ended.code}:\n${ended.stdout}\n${ended.stderr}`,
  )
}

/** `docker compose` of today where it is there, else docker-compose 1.29. */
async function composeCommand(): Promise<string[]> {
  const { code } = await run('docker', ['compose', 'version'], { mayFail: true })
  return code === 0 ? ['docker', 'compose'] : ['docker-compose']
}

export interface Stack {
  /** published addresses of api-1 and api-2 */
  apis: readonly [string, string]
  compose(args: readonly string[], more?: { mayFail?: boolean }): Promise<Ended>
  /** an operator's command in a container of its own */
  operator(...args: string[]): Promise<Ended>
  /** a program inside a running container */
  exec(service: string, ...command: string[]): Promise<Ended>
  /** from now on this image runs in what is created */
  use(version: string): void
  sources: string
}

/** A project of its own with its own passwords, ports and volumes, so that nothing else on the engine is touched. */
export async function openStack(folder: string, files: readonly string[]): Promise<Stack> {
  const project = `registry-test-${randomBytes(3).toString('hex')}`
  const sources = join(folder, `${project}-sources`)
  mkdirSync(sources, { recursive: true })
  const ports = [await freePort(), await freePort()] as const
  const envFile = join(folder, `${project}.env`)
  const secret = () => randomBytes(18).toString('hex')
  const settings: Record<string, string> = {
    ELASTIC_PASSWORD: secret(),
    API_PASSWORD: secret(),
    LOADER_PASSWORD: secret(),
    OPERATOR_PASSWORD: secret(),
    REGISTRY_VERSION: 'test',
    SOURCES: sources,
    API_1_PORT: String(ports[0]),
    API_2_PORT: String(ports[1]),
    ES_HEAP: '512m',
    ES_MEMORY: '1200m',
    ES_MMAP: 'false',
  }
  const write = () =>
    writeFileSync(
      envFile,
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
      { mode: 0o600 },
    )
  write()
  const [command, ...first] = (await composeCommand()) as [string, ...string[]]
  const fixed = [
    '--project-name',
    project,
    '--env-file',
    envFile,
    ...files.flatMap((f) => ['-f', f]),
  ]
  const compose: Stack['compose'] = (args, more) =>
    run(command, [...first, ...fixed, ...args], more)
  return {
    apis: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
    compose,
    operator: (...args) => compose(['run', '--rm', '-T', 'operator', ...args]),
    exec: (service, ...inside) => compose(['exec', '-T', service, ...inside], { mayFail: true }),
    use(version) {
      settings.REGISTRY_VERSION = version
      write()
    },
    sources,
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Asks again and again until the answer is as it should be; the last fault is shown when it never is. */
export async function until<T>(what: string, ask: () => Promise<T>, seconds = 300): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    try {
      return await ask()
    } catch (cause) {
      if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`, { cause })
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
}

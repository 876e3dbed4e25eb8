import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** An API as a process of its own. */
export interface ApiProcess {
  url: string
  /** its resident memory in MB */
  memoryMb(): Promise<number>
  stop(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('./api-child.ts', import.meta.url))

export async function startApi(options: {
  url: string
  prefix: string
  rateLimit?: number
}): Promise<ApiProcess> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      SCRIPT,
      options.url,
      options.prefix,
      String(options.rateLimit ?? 0),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => {
    const next = await lines.next()
    if (next.done) throw new Error('the API has ended')
    return next.value
  }
  const url = await line()
  return {
    url,
    async memoryMb() {
      child.stdin.write('\n')
      return Math.round(Number(await line()) / 1024 / 1024)
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.stdin.end()
      await ended
    },
  }
}

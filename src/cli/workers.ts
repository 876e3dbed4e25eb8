import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { OperatorError } from '../domain/problem.ts'

/** Which of several processes of one `serve` this is, counted from 1; null in a process that serves alone. */
export function workerNumber(): number | null {
  return cluster.isWorker ? Number(process.env[NUMBER]) : null
}

const NUMBER = 'PHARMACY_REGISTRY_WORKER'
const AGAIN_AFTER_MS = 1_000

/** The processes of one `serve`. */
export interface Workers {
  /** the address they share */
  url: string
  /** ends them, each after what it is answering */
  stop(): Promise<void>
}

/**
 * Starts this program again so many times, all on one port, and resolves once every one of them listens. One that
 * ends by itself later is started anew. Throws an OperatorError when one ends before it ever listened.
 */
export async function startWorkers(options: {
  count: number
  /** settings that differ from this process's own */
  env: NodeJS.ProcessEnv
  log: Logger
}): Promise<Workers> {
  const running = new Map<number, Worker>()
  let isStopping = false

  const start = async (number: number): Promise<string> => {
    const worker = cluster.fork({ ...options.env, [NUMBER]: String(number) })
    running.set(number, worker)
    const url = await listening(worker)
    worker.once('exit', (code, signal) => void replace(number, { code, signal }))
    return url
  }
  /** Until another one listens, or nobody shall: what ended it may keep the next one from starting for a while. */
  const replace = async (number: number, how: object) => {
    running.delete(number)
    for (let ended: object | null = how; ended && !isStopping; ) {
      options.log.error({ worker: number, ...ended }, 'a worker ended; another is started')
      await sleep(AGAIN_AFTER_MS)
      if (isStopping) return
      ended = await start(number).then(
        () => null,
        (err: unknown) => ({ err }),
      )
    }
  }
  const stop = async () => {
    isStopping = true
    await Promise.all([...running.values()].map(end))
  }

  try {
    const numbers = Array.from({ length: options.count }, (_, at) => at + 1)
    const [url] = await Promise.all(numbers.map(start))
    return { url: url as string, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}

function listening(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number) => {
      reject(new OperatorError(`serve: a worker ended with ${code} before it listened.`))
    }
    worker.once('exit', onExit)
    worker.on('message', (message: { url?: string }) => {
      if (message.url === undefined) return
      worker.off('exit', onExit)
      resolve(message.url)
    })
  })
}

/** Tells the process that started this one where it listens. */
export function tellListening(url: string): void {
  process.send?.({ url })
}

/** A worker lives as long as it can talk to the process that started it: this ends that. */
export function leaveWorkers(): void {
  cluster.worker?.disconnect()
}

function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve()
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.process.kill('SIGTERM')
  })
}

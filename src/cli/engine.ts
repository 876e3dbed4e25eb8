import { execArgv, execPath, execve, platform } from 'node:process'
import { setFlagsFromString } from 'node:v8'

interface Heap {
  /** half of the young generation, in MB; the engine's own choice where it is left out */
  young?: number
  /** by how many percent the heap may grow over what is alive before it is cleared up; the same */
  growth?: number
  /** how many heaps of its own the C library may have for threads; its own choice where it is left out */
  arenas?: number
}

/** A load makes much garbage and keeps little: left to itself the heap grows to several times what is alive. */
const LOADING: Heap = { young: 16, growth: 40 }
/**
 * A server holds little for long and passes large answers on: left to itself the engine looks through all that is alive
 * every few dozen of them, and each time some callers wait for it. A small young generation is cleared before it comes to
 * that, and takes the answers' buffers along. The heap may double before it is cleared up: with more, what exports forget
 * lies there for long. Only one thread has much to allocate, while the C library would keep memory ready for each.
 */
const SERVING: Heap = { young: 8, growth: 100, arenas: 1 }

/** See docs/performance.md for what others cost. */
const HEAPS: Readonly<Record<string, Heap>> = { load: LOADING, loader: LOADING, serve: SERVING }

/**
 * What lives through a clearing or two the engine takes for something that lives long, and makes the next of its kind
 * among the old at once. Rows that are read in batches often do, by chance; then every row of a file, and all that it
 * refers to, is kept until all of the heap is cleared up.
 */
const NO_GUESSING = '--no-allocation-site-pretenuring'

/**
 * Sets the heap for a command. The young generation's size can only be given to a new engine, so such a command takes its
 * own place once; it keeps its process id. To be called first: what was read before would be read twice.
 */
export function setHeapFor(command: string): void {
  setFlagsFromString(NO_GUESSING)
  const heap = Object.hasOwn(HEAPS, command) ? HEAPS[command] : undefined
  if (heap?.growth !== undefined) setFlagsFromString(`--heap-growing-percent=${heap.growth}`)
  if (heap?.young === undefined) return
  const young = `--max-semi-space-size=${heap.young}`
  if (platform === 'win32' || !execve || execArgv.includes(young)) return
  const args = [execPath, young, ...execArgv, ...process.argv.slice(1)]
  const arenas = heap.arenas === undefined ? {} : { MALLOC_ARENA_MAX: String(heap.arenas) }
  execve(execPath, args, { ...arenas, ...process.env })
}

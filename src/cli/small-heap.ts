import { execArgv, execPath, execve, platform } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** Sizes of the young and growth of the old generation: see docs/performance.md for what others cost. */
const YOUNG_GENERATION = '--max-semi-space-size=16'
const OLD_GENERATION = '--heap-growing-percent=40'

/**
 * A load makes much garbage and keeps little: left to itself the engine lets the heap grow to several times what is
 * alive before it clears up. The young generation's size can only be given to a new engine, so the program takes its
 * own place once; it keeps its process id.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(OLD_GENERATION)
  if (platform === 'win32' || !execve || execArgv.includes(YOUNG_GENERATION)) return
  const args = [execPath, YOUNG_GENERATION, ...execArgv, ...process.argv.slice(1)]
  execve(execPath, args, process.env)
}

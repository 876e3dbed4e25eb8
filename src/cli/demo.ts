import { loadDemo } from '../demo.ts'
import { parseFlags } from './arguments.ts'
import { print, say } from './output.ts'
import { progressLine } from './progress.ts'
import { loadContext, type ReadyCommand } from './runtime.ts'
import { stopSignal } from './stopping.ts'

export const DEMO_HELP = `demo     loads the bundled, invented territories with a year of history, as npm start does; for trying things out`

/** A second run finds nothing to do. Not for a registry that serves real data: the demo territories are real codes. */
export async function demoCommand(args: readonly string[]): Promise<ReadyCommand> {
  parseFlags(args, {}, { min: 0, max: 0, usage: 'demo' })
  return async (runtime) => {
    const progress = progressLine()
    const context = loadContext(runtime, { signal: stopSignal(), progress: progress.show })
    const sourcesDir = await loadDemo(context, { dataDir: runtime.config.DATA_DIR, say })
    progress.clear()
    print(`The demo is loaded; its source definitions are in ${sourcesDir}`)
    return 0
  }
}

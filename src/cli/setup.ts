import { parseFlags } from './arguments.ts'
import { say } from './output.ts'
import type { ReadyCommand } from './runtime.ts'

export const SETUP_HELP = `setup     creates the index templates and indices where they are missing, checks them, and ends`

/** All of it happens when the registry is opened, which every command does; this one does nothing else. */
export async function setupCommand(args: readonly string[]): Promise<ReadyCommand> {
  parseFlags(args, {}, { min: 0, max: 0, usage: 'setup' })
  return async ({ config }) => {
    say(`The registry ${config.INDEX_PREFIX} is set up.`)
    return 0
  }
}

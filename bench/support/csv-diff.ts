import { pythonTool } from '../../test/support/python-tool.ts'
import { runProgram } from './program.ts'
import { KEY_COLUMN } from './table.ts'

export const CSV_DIFF_VERSION = '1.2'

/** Seconds that csv-diff, the usual tool for two editions of a table, takes for two files. */
export function csvDiff(before: string, after: string): Promise<number> {
  const program = pythonTool('csv-diff', CSV_DIFF_VERSION)
  return runProgram(program, [before, after, '--key', KEY_COLUMN, '--json'])
}

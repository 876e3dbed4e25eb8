import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './program.ts'
import { KEY_COLUMN } from './table.ts'

export const CSV_DIFF_VERSION = '1.2'

/** Seconds that csv-diff, the usual tool for two editions of a table, takes for two files. */
export function csvDiff(before: string, after: string): Promise<number> {
  return runProgram(executable(), [before, after, '--key', KEY_COLUMN, '--json'])
}

/** In an environment of its own under the user's cache folder, made on first use. */
function executable(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'pharmacy-registry', `csv-diff-${CSV_DIFF_VERSION}`)
  const program = join(folder, 'bin', 'csv-diff')
  if (existsSync(program)) return program
  process.stderr.write(`Installing csv-diff ${CSV_DIFF_VERSION} into ${folder}…\n`)
  need('python3', ['-m', 'venv', folder])
  need(join(folder, 'bin', 'pip'), ['install', '--quiet', `csv-diff==${CSV_DIFF_VERSION}`])
  return program
}

function need(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`)
  }
}

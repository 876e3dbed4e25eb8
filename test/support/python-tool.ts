import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The program of a Python package, in an environment of its own under the user's cache folder, made on first use. */
export function pythonTool(name: string, version: string): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'pharmacy-registry', `${name}-${version}`)
  const program = join(folder, 'bin', name)
  if (existsSync(program)) return program
  process.stderr.write(`Installing ${name} ${version} into ${folder}…\n`)
  need('python3', ['-m', 'venv', folder])
  need(join(folder, 'bin', 'pip'), ['install', '--quiet', `${name}==${version}`])
  return program
}

function need(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`)
  }
}

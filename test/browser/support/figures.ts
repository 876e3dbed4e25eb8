import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const FILE = join(import.meta.dirname, '..', 'artefacts', 'figures.txt')

/** Keeps a line of sizes or times beside the pictures; the set-up prints all of them when the run is over. */
export async function noteFigure(line: string): Promise<void> {
  await mkdir(dirname(FILE), { recursive: true })
  await appendFile(FILE, `${line}\n`)
}

/** What was noted in this run; empty when nothing was measured. */
export async function notedFigures(): Promise<string> {
  return existsSync(FILE) ? readFile(FILE, 'utf8') : ''
}

export function forgetFigures(): Promise<void> {
  return rm(FILE, { force: true })
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The project's documents, and the commands they tell their readers to type. */

export const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']

export const readDocument = (file: string) => readFileSync(join(ROOT, file), 'utf8')

export function documents(): string[] {
  const own = DOCUMENTS.filter((file) => existsSync(join(ROOT, file)))
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  return [...own, ...below.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))]
}

export interface Command {
  /** document and line, to name it by */
  at: string
  words: string[]
}

/** The commands of all sh blocks, one a line; a line that ends in a backslash goes on, a comment does not count. */
export function commands(): Command[] {
  return documents().flatMap((at) =>
    shellBlocks(readDocument(at)).flatMap((block) =>
      block
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
        .filter((line) => line !== '')
        .map((line) => ({ at: `${at}: ${line}`, words: wordsOf(line) })),
    ),
  )
}

function shellBlocks(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block as string)
}

/** Words as a shell would split them, as far as the documents go: quotes hold words together. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word)
}

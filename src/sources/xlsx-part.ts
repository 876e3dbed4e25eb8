import { LoadFailure } from '../domain/problem.ts'
import { decode } from './decode.ts'
import { localName, saxReader } from './parse-xml.ts'
import type { Zip } from './zip.ts'

/** What a reader of one XML part of a workbook is told; names come without their prefix. */
export interface Visitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string, path: readonly string[]): void
  close?(name: string): void
}

/** Reads a part of the workbook; a part that is not there is an empty one. */
export async function walkPart(zip: Zip, part: string, visitor: Visitor): Promise<void> {
  if (!zip.has(part)) return
  const reader = visitingReader(visitor)
  for await (const text of decode(zip.read(part), 'utf-8')) reader.write(text)
  reader.end()
}

/** Tells a visitor what a part holds as its text arrives. */
export function visitingReader(visitor: Visitor): { write(text: string): void; end(): void } {
  const reader = saxReader()
  const path: string[] = []
  reader.onopentag = ({ name, attributes }) => {
    path.push(localName(name))
    visitor.open(localName(name), attributes as Record<string, string>)
  }
  reader.ontext = (text) => visitor.text?.(text, path)
  reader.oncdata = (text) => visitor.text?.(text, path)
  reader.onclosetag = (name) => {
    path.pop()
    visitor.close?.(localName(name))
  }
  const guarded = (run: () => void) => {
    try {
      run()
    } catch (error) {
      if (error instanceof LoadFailure) throw error
      throw new LoadFailure(
        'unexpected_content',
        'A part of the workbook is no well-formed XML.',
        error,
      )
    }
  }
  return {
    write: (text) => guarded(() => reader.write(text)),
    end: () => guarded(() => reader.close()),
  }
}

/** Phonetic hints stand beside the text and are no part of it. */
export function isShownText(path: readonly string[]): boolean {
  return path.at(-1) === 't' && !path.includes('rPh')
}

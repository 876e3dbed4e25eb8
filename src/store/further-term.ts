import type { estypes } from '@elastic/elasticsearch'
import { createBufferPool } from '../domain/buffer-pool.ts'
import { createByteWriter } from '../domain/byte-writer.ts'
import { type Db, type IndexName, unavailableAsProblem } from './db.ts'
import { beginAnswer, readAnswer } from './raw-answer.ts'

/** Where to look: a keyword field of an index, after a term. */
interface FurtherTerm {
  index: IndexName
  field: string
  after: string
  /** how many terms further on; at most 10 000 */
  steps: number
  signal: AbortSignal
}

const pool = createBufferPool()

/**
 * The term so many terms further on among those of an index, in code point order; the last one where fewer follow, and
 * undefined where none does. A hint and no more: terms of deleted documents count, and under load Elasticsearch may give
 * fewer than there are.
 */
export async function termFurtherOn(
  db: Db,
  { index, field, after, steps, signal }: FurtherTerm,
): Promise<string | undefined> {
  const asked: estypes.TermsEnumRequest = {
    index: db.alias(index),
    field,
    search_after: after,
    size: steps,
  }
  // Thousands of texts for the last one: the engine would keep each of them for long.
  const { answer, isGood } = await beginAnswer(
    db.client.termsEnum(asked, { signal, asStream: true, meta: true }),
  )
  const memory = createByteWriter(pool.lend())
  await readAnswer(answer, memory)
  if (!isGood) {
    const { terms } = await unavailableAsProblem(db.client.termsEnum(asked, { signal }))
    return terms.at(-1)
  }
  const term = lastTermIn(memory.bytes())
  pool.giveBack(memory.memory)
  return term
}

const END = Buffer.from('"],"complete":')
const FIRST = Buffer.from('["')
const LATER = Buffer.from(',"')

/** A quote within a term is escaped: one that follows a comma or a bracket begins a term, or ends the one before. */
export function lastTermIn(answer: Buffer): string | undefined {
  const end = answer.lastIndexOf(END)
  if (end < 0) return undefined
  const before = end - LATER.length
  const start = Math.max(answer.lastIndexOf(FIRST, before), answer.lastIndexOf(LATER, before))
  return JSON.parse(answer.toString('utf8', start + 1, end + 1)) as string
}

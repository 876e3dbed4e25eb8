import { createBufferPool } from '../domain/buffer-pool.ts'
import { createByteWriter } from '../domain/byte-writer.ts'
import type { Db } from './db.ts'
import { beginAnswer, readAnswer } from './raw-answer.ts'

/** A page's worth of ids takes 65 kB, and as many answers come at a time as there are exports. */
const pool = createBufferPool(1 << 17)

/**
 * The external_id so many ids further on among those of all territories; the last one where fewer follow. A hint and no
 * more: ids of deleted documents count, under load Elasticsearch may give fewer than there are, and undefined says that
 * none follows or that it gives none now.
 */
export async function idFurtherOn(
  db: Db,
  { after, steps }: { after: string; steps: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  // As a stream: read into texts, thousands for the sake of the last, each of them would be kept for long.
  const { answer, isGood } = await beginAnswer(
    db.client.termsEnum(
      { index: db.alias('pharmacies'), field: 'external_id', search_after: after, size: steps },
      { signal, asStream: true, meta: true },
    ),
  )
  const memory = createByteWriter(pool.lend())
  await readAnswer(answer, memory)
  const id = isGood ? lastTermIn(memory.bytes()) : undefined
  pool.giveBack(memory.memory)
  return id
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

import { hash } from 'node:crypto'
import { canonicalRecord } from '../domain/canonical-record.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import { type AnswerCache, openAnswerCache } from '../store/answer-cache.ts'
import { openDataset, parseRecord } from '../store/dataset.ts'
import type { Db } from '../store/db.ts'
import type { ExportPlan } from './dataset-export.ts'

export interface DatasetDigest {
  count: number
  digest: string
}

/** Sums up records in any order. */
export interface DigestSum {
  add(record: Pharmacy): void
  result(): DatasetDigest
}

const BITS = 128

/**
 * The sum modulo 2^128 of the first 16 bytes, as big-endian numbers, of each record's SHA-256. Unlike an exclusive or,
 * a sum also tells a record that is there twice.
 */
export function digestSum(): DigestSum {
  let count = 0
  let high = 0n
  let low = 0n
  return {
    add(record) {
      const bytes = hash('sha256', canonicalRecord(record), 'buffer')
      high += bytes.readBigUInt64BE(0)
      low += bytes.readBigUInt64BE(8)
      count += 1
    },
    result() {
      const sum = BigInt.asUintN(BITS, (high << 64n) + low)
      return { count, digest: sum.toString(16).padStart(BITS / 4, '0') }
    },
  }
}

/** An entry is about a hundred characters: thousands of dataset states. */
const CACHE_CHARS = 1024 * 1024

interface Digests {
  cache: AnswerCache
  /** one at a time: each reads a whole dataset */
  last: Promise<unknown>
}

const digests = new WeakMap<Db, Digests>()

/** The digest of what an export shows; read once for every state of a territory, however many ask. */
export async function datasetDigest(db: Db, plan: ExportPlan): Promise<DatasetDigest> {
  const known = digests.get(db) ?? { cache: newCache(), last: Promise.resolve() }
  digests.set(db, known)
  const key = JSON.stringify([plan.territory, plan.shown])
  const { text } = await known.cache.get(key, async () => {
    const reading = known.last.then(() => readDigest(db, plan))
    known.last = reading.catch(() => undefined)
    return { text: JSON.stringify(await reading), tag: null }
  })
  return JSON.parse(text.toString()) as DatasetDigest
}

function newCache(): AnswerCache {
  return openAnswerCache({ maxChars: CACHE_CHARS, clockMs: () => performance.now() })
}

/** Goes on when the one who asked first leaves: others wait for the same. */
const NEVER = new AbortController().signal

async function readDigest(db: Db, plan: ExportPlan): Promise<DatasetDigest> {
  const sum = digestSum()
  const criteria = { territory: plan.territory, activeOnly: false }
  const { batches } = await openDataset(db, { criteria, pin: plan.pin }, NEVER)
  for await (const records of batches) {
    for (const record of records) sum.add(parseRecord(record))
  }
  return sum.result()
}

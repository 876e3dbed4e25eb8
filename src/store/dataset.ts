import type { Span } from '../domain/byte-writer.ts'
import type { Pharmacy } from '../domain/pharmacy.ts'
import type { Db } from './db.ts'
import { idFurtherOn } from './further-id.ts'
import { type DatasetCriteria, type DatasetPage, datasetPageQuery } from './pharmacy-queries.ts'
import { type PageAfter, type RawHit, type RawHits, sortOf, walkRaw } from './raw-search.ts'
import type { Pin } from './state.ts'

/** A record as JSON in UTF-8, its members in column order. */
export type RecordJson = Span

/** The records of a territory as they are true at one state. */
export interface Dataset {
  /** known before the first of them */
  count: number
  /**
   * Ordered by external_id, in small batches. Their bytes are used again: what is made of a batch must be whole when the
   * next is asked for. When the caller stops reading, so does this; and when not `count` records came, it fails.
   */
  batches: AsyncIterable<readonly RecordJson[]>
}

export interface PageSizes {
  /** records of a page */
  page: number
  /** with more records than this, a page is looked for between two ids */
  large: number
}

/**
 * A page is large enough that its fixed cost vanishes, small enough for two of each export in memory. To look through
 * 50 000 records for those after an id takes Elasticsearch a millisecond, and a page fifteen and more.
 */
const SIZES: PageSizes = { page: 5_000, large: 50_000 }

interface Asked {
  criteria: DatasetCriteria
  pin: Pin
  sizes?: PageSizes
}

/** Starts reading: the first page is there before this answers, so that a store that is away is told of at once. */
export async function openDataset(db: Db, asked: Asked, signal: AbortSignal): Promise<Dataset> {
  const pages = walkRaw(db, { index: 'pharmacies', pageAfter: pagesOf(db, asked), signal })
  const first = await pages.next()
  if (first.done) throw new Error('a walk begins with a page')
  return { count: first.value.total, batches: allBatches(first, pages) }
}

/**
 * For each page after an id Elasticsearch looks through all records of the territory: of a large one that takes longer
 * than reading the page. Between two ids it looks at those alone. Where a page may end is a hint, so many ids further on
 * among those of all territories; what is answered does not rest on it.
 */
function pagesOf(db: Db, { criteria, pin, sizes = SIZES }: Asked): PageAfter {
  const { page: size } = sizes
  const isHintDue = hinting(sizes)
  const following = async (asked: DatasetPage, found: RawHits, signal: AbortSignal) => {
    if (isLastPage(asked, found)) return null
    const after = found.last ? idOf(found.last) : asked.after
    if (after === undefined || !isHintDue(asked, found)) return { size, after }
    return { size, after, upTo: await idFurtherOn(db, { after, steps: size }, signal) }
  }
  let asked: DatasetPage | null = { size }
  return async (found, signal) => {
    if (asked && found) asked = await following(asked, found, signal)
    return asked && datasetPageQuery(criteria, pin, asked)
  }
}

function isLastPage({ size, after, upTo }: DatasetPage, { last, total }: RawHits): boolean {
  if (upTo !== undefined) return false
  return !last || (after === undefined && total <= size)
}

/**
 * Whether it is worth asking where the page after this one may end. Where few of the ids between two are the territory's,
 * a page without an end is cheaper: for one page, then for two, for four, since it may be so for long.
 */
function hinting({ large }: PageSizes): (asked: DatasetPage, found: RawHits) => boolean {
  let isLarge = false
  let pagesToWait = 0
  let nextWait = 1
  return ({ size, upTo }, { total }) => {
    if (upTo === undefined) isLarge = total > large
    else if (total <= size / 2) {
      pagesToWait = nextWait
      nextWait *= 2
    }
    if (pagesToWait === 0) return isLarge
    pagesToWait -= 1
    return false
  }
}

function idOf(hit: RawHit): string {
  return sortOf(hit)[0] as string
}

async function* allBatches(
  first: IteratorYieldResult<RawHits>,
  pages: AsyncGenerator<RawHits>,
): AsyncGenerator<readonly RecordJson[]> {
  const { total: count } = first.value
  let read = 0
  try {
    for (let page: IteratorResult<RawHits> = first; !page.done; page = await pages.next()) {
      for (const batch of batchesOf(page.value)) {
        read += batch.length
        yield batch
      }
    }
  } finally {
    await pages.return(undefined)
  }
  if (read !== count) throw new Error(`a dataset of ${count} records came out with ${read}`)
}

/** About 60 kB as text: forgotten before the engine looks what lives, and not among what it keeps apart as large. */
const BATCH = 100

function* batchesOf(hits: RawHits): Generator<RecordJson[]> {
  let batch: RecordJson[] = []
  for (const hit of hits) {
    batch.push(recordJsonOf(hit))
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const AFTER_RECORD = Buffer.from(',"from_run":')
const BRACE = 0x7d

/** The record's members come first in a version: cut off and closed after them, they are the record. */
function recordJsonOf({ bytes, start, end }: RawHit): RecordJson {
  const after = bytes.indexOf(AFTER_RECORD, start)
  if (after < 0 || after > end) throw new Error('not a version of a record')
  // Over the comma, in the answer itself: nobody else reads it, and nothing has to be copied.
  bytes[after] = BRACE
  return { bytes, start, end: after + 1 }
}

export function textOf({ bytes, start, end }: RecordJson): string {
  return bytes.toString('utf8', start, end)
}

export function parseRecord(record: RecordJson): Pharmacy {
  return JSON.parse(textOf(record)) as Pharmacy
}

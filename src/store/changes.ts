import type { ByteWriter } from '../domain/byte-writer.ts'
import { endOfDigits, wholeNumber } from '../domain/stored-bytes.ts'
import { type ChangeCriteria, changePageQuery, wholeChangePageQuery } from './change-queries.ts'
import type { Db } from './db.ts'
import { askRaw, type RawPage } from './raw-search.ts'
import type { Pin } from './state.ts'
import { isVisible } from './visible.ts'

/** Changes as they are stored, ascending by id, in memory that is lent. */
export interface ChangePage {
  count: number
  /** the id of the last one; null when there is none */
  lastId: number | null
  /** whose changes they are: each run once, ascending */
  runs: readonly number[]
  /** whether changes follow the last one of this page */
  more: boolean
  /**
   * Writes them as JSON with commas in between, each with the last members (`,"name":…}`) that its run has. May be
   * written over `memory`, once: what is shown of a change and those members are shorter than its hit, which begins with
   * the names of index and document and ends with sort values.
   */
  write(out: ByteWriter, lastMembers: ReadonlyMap<number, Buffer>): void
  /** what they stand in; given back when nobody reads it any more, or what has grown out of it */
  memory: Buffer
  giveBack(memory: Buffer): void
}

export const NO_CHANGES: ChangePage = {
  count: 0,
  lastId: null,
  runs: [],
  more: false,
  write: () => undefined,
  // Whoever finds nothing may wait for long: nothing is lent for it.
  memory: Buffer.alloc(0),
  giveBack: () => undefined,
}

/** One page of changes, ascending by id. */
export async function listChanges(
  db: Db,
  {
    criteria,
    pin,
    limit,
    lastId,
  }: { criteria: ChangeCriteria; pin: Pin; limit: number; lastId: number },
): Promise<ChangePage> {
  const whole = wholeChangePageQuery(criteria, { limit, lastId })
  if (whole) {
    const page = pageOf(await askRaw(db, { index: 'changes', body: whole }), limit)
    const isAsked = (run: number) => run >= criteria.fromRun && isVisible(run, pin)
    // That of the last id follows at least.
    if (page.count === limit && page.runs.every(isAsked)) return { ...page, more: true }
    page.giveBack(page.memory)
  }
  const body = changePageQuery(criteria, pin, limit)
  return pageOf(await askRaw(db, { index: 'changes', body }), limit)
}

const ID = '{"id":'
const RUN = ',"run":'
const COMMA = 0x2c
const NOTHING = Buffer.alloc(0)

/** Numbers that are kept of a stored change: its run, and where the two parts begin and end that are shown. */
const ENTRIES = 5

/**
 * The first changes of an answer. `{"id":…,"run":…,"run_id":…}`: the run's number is for us alone. Numbers in one list and
 * bytes in one go, not an object and four calls for each: with hundreds in a page that takes half as long.
 */
export function pageOf({ hits, memory, giveBack }: RawPage, limit: number): ChangePage {
  // As long as it can be: growing, it would leave more behind than everything else here.
  const entries = new Array<number>(limit * ENTRIES)
  const runs: number[] = []
  const { bytes } = hits
  let storedBytes = 0
  let count = 0
  let more = false
  hits.places((start, end) => {
    more = count === limit
    if (more) return
    const headEnd = endOfDigits(bytes, start + ID.length)
    const runAt = headEnd + RUN.length
    const restStart = endOfDigits(bytes, runAt)
    const run = wholeNumber(bytes, runAt, restStart)
    // They come run after run.
    if (run !== runs.at(-1)) runs.push(run)
    const at = count * ENTRIES
    entries[at] = run
    entries[at + 1] = start
    entries[at + 2] = headEnd
    entries[at + 3] = restStart
    // Without the brace at its end, for one more member.
    entries[at + 4] = end - 1
    storedBytes += end - start
    count += 1
  })
  entries.length = count * ENTRIES
  if (count === 0) {
    giveBack(memory)
    return NO_CHANGES
  }
  return {
    count,
    lastId: lastIdOf(bytes, entries),
    runs,
    more,
    write(out, lastMembers) {
      const longest = Math.max(...[...lastMembers.values()].map(({ length }) => length))
      // The comma takes less than the run's number, which is left out.
      const room = storedBytes + count * longest
      out.fill(room, (to, at) => put({ bytes, entries, lastMembers }, to, at))
    },
    memory,
    giveBack,
  }
}

function lastIdOf(bytes: Buffer, entries: readonly number[]): number {
  const [, start, headEnd] = entries.slice(-ENTRIES) as [number, number, number]
  return wholeNumber(bytes, start + ID.length, headEnd)
}

interface Parts {
  bytes: Buffer
  entries: readonly number[]
  lastMembers: ReadonlyMap<number, Buffer>
}

/** Writes them from a place on; says where they end. */
function put({ bytes, entries, lastMembers }: Parts, memory: Buffer, at: number): number {
  const isOver = memory.buffer === bytes.buffer
  let to = at
  let run: number | undefined
  let last: Buffer = NOTHING
  for (let n = 0; n < entries.length; n += ENTRIES) {
    const start = entries[n + 1] as number
    const headEnd = entries[n + 2] as number
    if (entries[n] !== run) {
      run = entries[n] as number
      last = memberOf(lastMembers, run)
    }
    if (n > 0) memory[to++] = COMMA
    if (isOver && to > start) throw new Error('changes written over one that is yet to be read')
    // A brace, a name and some digits: to begin with copying takes as long.
    for (let p = start; p < headEnd; p += 1) memory[to++] = bytes[p] as number
    to += bytes.copy(memory, to, entries[n + 3], entries[n + 4])
    memory.set(last, to)
    to += last.length
  }
  return to
}

function memberOf(lastMembers: ReadonlyMap<number, Buffer>, run: number): Buffer {
  const member = lastMembers.get(run)
  if (!member) throw new Error(`nothing to end the changes of run ${run} with`)
  return member
}

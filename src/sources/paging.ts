import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { SourceDefinition } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import { openContent } from './content.ts'
import type { Download } from './downloaded.ts'
import { type Fetcher, MAX_BYTES, type Saved } from './fetcher.ts'
import { createPageFile, type PageWriter } from './page-file.ts'
import { type Facts, listParser } from './parse-json.ts'
import type { Portal } from './portal.ts'
import { parseText } from './push-parser.ts'
import { recordsPathOf } from './records-path.ts'
import { textOf } from './text.ts'

const MAX_PAGES = 10_000
const MAX_EMPTY_PAGES = 20

/**
 * Walks all pages of a source into one raw file. The next page begins after the records received, whatever was
 * asked for; the walk ends at the stated total, and fails when that is not met or a record comes twice.
 */
export async function downloadPages(
  definition: SourceDefinition,
  { fetcher, portal }: { fetcher: Fetcher; portal: Portal },
): Promise<Download> {
  const path = fetcher.newFile()
  const out = await createPageFile(path)
  let first: Saved
  try {
    first = await walk(definition, { fetcher, portal, out })
  } catch (error) {
    await out.close()
    throw error
  }
  return {
    kind: 'file',
    path,
    ...(await out.end()),
    etag: null,
    last_modified: first.headers['last-modified'] ?? null,
    headers: first.headers,
    metadata_modified: portal.modified,
  }
}

/** How far a walk is. */
interface Walk {
  /** where the next page begins */
  offset: number
  size: number
  received: number
  total: number | undefined
  emptyPages: number
  isDone: boolean
}

async function walk(
  definition: SourceDefinition,
  { fetcher, portal, out }: { fetcher: Fetcher; portal: Portal; out: PageWriter },
): Promise<Saved> {
  const maxPages = definition.fetch.page?.max_pages ?? MAX_PAGES
  const seen = new Set<number>()
  let bytesLeft = definition.fetch.max_bytes ?? MAX_BYTES
  let first: Saved | undefined
  let state: Walk = { ...START, size: portal.size, total: portal.total }
  for (let pages = 0; pages < maxPages; pages++) {
    const url = portal.pageUrl(state.offset, state.size)
    const saved = await fetcher.save(url, { maxBytes: bytesLeft })
    first ??= saved
    const page = await readPage(definition, { file: saved.file, portal })
    await out.add(saved.file, saved.bytes)
    await rm(saved.file)
    bytesLeft -= saved.bytes
    refuseRepeats(page.marks, seen)
    state = advance(state, page, portal)
    if (state.isDone) return checkTotal(state, first)
  }
  throw unstable(`${state.received} records after ${maxPages} pages (max_pages), and no end`)
}

const START = { offset: 0, received: 0, emptyPages: 0, isDone: false }

function advance(before: Walk, { count, facts }: Page, portal: Portal): Walk {
  const total = totalOf(facts, portal) ?? before.total
  const size = Math.min(before.size, portal.cap?.(facts) ?? before.size)
  const received = before.received + count
  const isComplete = total !== undefined && received >= total
  const announcesMore = portal.announcesMore?.(facts)
  return {
    // An empty page that announces more stands for records that the server left out of it.
    offset: before.offset + (count > 0 ? count : size),
    size,
    received,
    total,
    emptyPages: count > 0 ? 0 : countEmpty(before),
    isDone: isLast({ isEmpty: count === 0, isComplete, announcesMore }),
  }
}

function countEmpty({ emptyPages }: Walk): number {
  if (emptyPages === MAX_EMPTY_PAGES) throw unstable(`${emptyPages} empty pages in a row`)
  return emptyPages + 1
}

/** A portal that announces what follows has also said when nothing does; elsewhere the total or an empty page tells. */
function isLast(page: {
  isEmpty: boolean
  isComplete: boolean
  announcesMore: boolean | undefined
}): boolean {
  if (page.announcesMore === undefined) return page.isComplete || page.isEmpty
  return !page.announcesMore || (page.isComplete && page.isEmpty)
}

function checkTotal({ received, total }: Walk, first: Saved): Saved {
  if (total === undefined || received === total) return first
  throw unstable(`${received} records of ${total} stated`)
}

interface Page {
  count: number
  facts: Facts
  /** a number per record, equal for equal records */
  marks: number[]
}

async function readPage(
  definition: SourceDefinition,
  { file, portal }: { file: string; portal: Portal },
): Promise<Page> {
  const parser = listParser(recordsPathOf(definition))
  const text = textOf(definition, await openContent(definition, file))
  const marks: number[] = []
  for await (const records of parseText(text, parser)) {
    for (const record of records)
      marks.push(markOf(portal.identity?.(record) ?? JSON.stringify(record)))
  }
  return { count: marks.length, facts: parser.facts, marks }
}

/** 52 bits of a digest: a million records fit in little memory, and two of them share a mark once in ten thousand walks. */
function markOf(identity: string): number {
  return Number.parseInt(hash('sha1', identity).slice(0, 13), 16)
}

function refuseRepeats(marks: readonly number[], seen: Set<number>): void {
  if (marks.some((mark) => seen.has(mark))) throw unstable('a record of an earlier page came again')
  for (const mark of marks) seen.add(mark)
}

function totalOf(facts: Facts, { totalPath }: Portal): number | undefined {
  const stated = totalPath === undefined ? undefined : facts.get(totalPath)
  if (stated === undefined || stated === null || stated === '') return undefined
  const total = Number(stated)
  return Number.isInteger(total) ? total : undefined
}

function unstable(what: string): LoadFailure {
  return new LoadFailure('paging_unstable', `The pages do not fit together: ${what}.`)
}

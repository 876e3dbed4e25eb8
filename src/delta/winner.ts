import type { SourceDefinition } from '../domain/definition.ts'
import { foldText } from '../domain/fold.ts'
import { EXPORT_COLUMNS, type Pharmacy } from '../domain/pharmacy.ts'

/** One of several rows of one id, as far as choosing between them needs. */
export interface Candidate {
  hash: string
  prefer: string | null
  order: string
}

export function candidateOf(record: Pharmacy, hash: string, prefer: string | null): Candidate {
  return { hash, prefer: prefer === null ? null : copied(prefer), order: orderOf(record) }
}

/** A text of its own: the cell is a slice, and would keep the whole chunk of the file in memory that it was cut from. */
function copied(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

/**
 * A text that puts records in order field by field, in column order: by what they say, then by how they spell it. It
 * holds nothing of where in the file a row stood.
 */
function orderOf(record: Pharmacy): string {
  const texts = EXPORT_COLUMNS.filter((column) => column !== 'observed_at').map((column) =>
    String(record[column] ?? ''),
  )
  return [...texts.map((text) => foldText(text)), ...texts].join('\u0000')
}

/**
 * The comparison that picks the winner among conflicting rows, whatever their order in the file: the preferred column as
 * text, or the smallest (`first`) or largest (`last`) record; ties go to the smallest.
 */
export function winnerOf(definition: SourceDefinition): (a: Candidate, b: Candidate) => Candidate {
  const conflicting = definition.duplicates?.conflicting ?? 'first'
  if (conflicting === 'last') return (a, b) => (b.order > a.order ? b : a)
  if (typeof conflicting !== 'object') return smaller
  const { order } = conflicting
  return (a, b) => {
    const left = a.prefer ?? ''
    const right = b.prefer ?? ''
    if (left === right) return smaller(a, b)
    return left > right === (order === 'max') ? a : b
  }
}

function smaller(a: Candidate, b: Candidate): Candidate {
  return b.order < a.order ? b : a
}

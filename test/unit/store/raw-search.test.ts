import { expect, test } from 'vitest'
import type { Span } from '../../../src/domain/byte-writer.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { type RawHits, sortOf, splitHits } from '../../../src/store/raw-search.ts'
import { seededRandom } from '../../support/random.ts'

/** Texts that look like what an answer is cut at. */
const NASTY = [
  '',
  'ñ €',
  '"_source":',
  ',"sort":[',
  ']},{"_index":',
  ']}]}}',
  '\\',
  '"',
  '\n{"hits":[',
  '\u{1f48a}',
]

function answerOf(hits: { _source: unknown; sort: unknown[] }[], more = {}): Buffer {
  const answer = {
    took: 3,
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: {
      max_score: null,
      hits: hits.map((hit) => ({ _index: 'a-b', _id: 'c', _score: null, ...hit })),
    },
    ...more,
  }
  return Buffer.from(JSON.stringify(answer))
}

function placesIn(hits: RawHits): Span[] {
  const places: Span[] = []
  hits.places((start, end) => places.push({ bytes: hits.bytes, start, end }))
  return places
}

test('the documents and sort values are those of the parsed answer, whatever their texts', () => {
  const random = seededRandom(1)
  for (let round = 0; round < 2_000; round += 1) {
    const text = () => `${random.pick(NASTY)}${random.pick(NASTY)}`
    const hits = Array.from({ length: random.integer(5) }, () => ({
      _source: { name: text(), payload: { a: text(), b: [text()] }, n: random.integer(9) },
      sort: [random.integer(9), text()],
    }))
    const answer = splitHits(answerOf(hits))
    const found = [...answer]
    expect(
      found.map(({ bytes, start, end }) => JSON.parse(bytes.toString('utf8', start, end))),
    ).toEqual(hits.map(({ _source }) => _source))
    expect(found.map(sortOf)).toEqual(hits.map(({ sort }) => sort))
    expect(answer.last).toEqual(found.at(-1) ?? null)
    expect(placesIn(answer)).toEqual(found.map(({ bytes, start, end }) => ({ bytes, start, end })))
  }
})

test('a document is found where it begins, however long the id before it was', () => {
  const record = { name: 'Ñ', coordinate_source: null, owner_name: 'x' }
  for (let length = 0; length < 300; length += 1) {
    const hits = [length, 0, length].map((more) => ({
      _id: `c${'x'.repeat(more)}`,
      _source: record,
      sort: ['a'.repeat(more)],
    }))
    const answer = splitHits(answerOf(hits))
    const found = [...answer]
    expect(
      found.map(({ bytes, start, end }) => JSON.parse(bytes.toString('utf8', start, end))),
    ).toEqual([record, record, record])
    expect(found.map(sortOf)).toEqual(hits.map(({ sort }) => sort))
    expect(answer.last).toEqual(found.at(-1) ?? null)
    expect(placesIn(answer)).toEqual(found.map(({ bytes, start, end }) => ({ bytes, start, end })))
  }
})

test.each([
  ['timed out', { timed_out: true }],
  ['lacking a shard', { _shards: { total: 2, successful: 1, skipped: 0, failed: 1 } }],
])('an answer %s is refused', (_how, more) => {
  const hit = { _source: { a: 1 }, sort: [1] }
  const { hits, ...head } = JSON.parse(answerOf([hit]).toString())
  const answer = Buffer.from(JSON.stringify({ ...head, ...more, hits }))
  expect(() => splitHits(answer)).toThrow(Problem)
})

test.each([
  ['no answer', 'gateway'],
  [
    'half an answer',
    answerOf([{ _source: { a: 1 }, sort: [1] }])
      .toString()
      .slice(0, -3),
  ],
  [
    'a hit that ends without sort values before another',
    answerOf([
      { _source: { a: 1 }, ignored: ['a'] } as never,
      { _source: { a: 1 }, sort: [1] },
    ]).toString(),
  ],
  ['a hit without sort values', answerOf([{ _source: { a: 1 } } as never]).toString()],
])('%s is no answer', (_what, text) => {
  expect(() => [...splitHits(Buffer.from(text))]).toThrow('not the answer of a search')
})

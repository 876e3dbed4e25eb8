import { expect, test } from 'vitest'
import { createByteWriter } from '../../../src/domain/byte-writer.ts'
import { pageOf } from '../../../src/store/changes.ts'
import { splitHits } from '../../../src/store/raw-search.ts'
import { type Random, seededRandom } from '../../support/random.ts'

/** Texts that look like what a page is cut at. */
const NASTY = [
  '',
  'ñ €',
  '{"id":1,"run":2',
  ',"run":7',
  '"_source":',
  ']},{"_index":',
  '}',
  '\\',
  '"',
]
const LIMIT = 40

function someChanges(random: Random) {
  let run = 1 + random.integer(3)
  const firstId = 1 + random.integer(1_000_000)
  return Array.from({ length: random.integer(LIMIT + 3) }, (_, n) => {
    if (random.integer(5) === 0) run += 1 + random.integer(3)
    const text = () => `${random.pick(NASTY)}${random.pick(NASTY)}`
    return { id: firstId + n, run, run_id: `r-${run}`, payload: { name: text(), city: text() } }
  })
}

/** As short as what Elasticsearch puts around a document can be. */
function pageWith(changes: ReturnType<typeof someChanges>, giveBack = (_: Buffer) => {}) {
  const hits = changes.map((change) => ({
    _index: 'a-changes-000001',
    _id: `${change.run}|${change.id}`,
    _score: null,
    _source: change,
    sort: [change.id],
  }))
  const shards = { total: 1, successful: 1, skipped: 0, failed: 0 }
  const text = JSON.stringify({ timed_out: false, _shards: shards, hits: { hits } })
  const memory = Buffer.allocUnsafeSlow(1 << 16)
  const answer = memory.subarray(0, memory.write(text))
  return pageOf({ hits: splitHits(answer), memory, giveBack }, LIMIT)
}

const memberOf = (run: number) => `,"changed_at":"2024-03-01T06:00:00.${run % 10}00Z"}`

test.each([
  ['over the answer itself', (memory: Buffer) => createByteWriter(memory)],
  ['elsewhere', () => createByteWriter(1)],
])('a page written %s is what is stored, with the end of its run', (_where, writerOver) => {
  const random = seededRandom(3)
  for (let round = 0; round < 1_000; round += 1) {
    const changes = someChanges(random)
    const shown = changes.slice(0, LIMIT)
    const page = pageWith(changes)
    const runs = [...new Set(shown.map(({ run }) => run))]
    expect(page).toMatchObject({
      count: shown.length,
      lastId: shown.at(-1)?.id ?? null,
      runs,
      more: changes.length > LIMIT,
    })
    const out = writerOver(page.memory)
    out.write('[')
    page.write(out, new Map(runs.map((run) => [run, Buffer.from(memberOf(run))])))
    out.write(']')
    const expected = shown.map(
      ({ run, ...rest }) => JSON.stringify(rest).slice(0, -1) + memberOf(run),
    )
    expect(out.bytes().toString()).toBe(`[${expected.join(',')}]`)
  }
})

test('what would not fit over the answer is refused, never written over a change', () => {
  const changes = [1, 2, 3].map((id) => ({
    id,
    run: 1,
    run_id: 'r-1',
    payload: { name: '', city: '' },
  }))
  const page = pageWith(changes)
  const long = Buffer.from(`,"changed_at":"${'x'.repeat(400)}"}`)
  expect(() => page.write(createByteWriter(page.memory), new Map([[1, long]]))).toThrow(
    'yet to be read',
  )
})

test('memory in which nothing was found is given back at once, other memory by whoever reads it', () => {
  const changes = [{ id: 1, run: 1, run_id: 'r-1', payload: { name: '', city: '' } }]
  const givenBack: Buffer[] = []
  const giveBack = (memory: Buffer) => {
    givenBack.push(memory)
  }
  const empty = pageWith([], giveBack)
  expect(givenBack).toHaveLength(1)
  empty.giveBack(empty.memory)
  const page = pageWith(changes, giveBack)
  expect(givenBack).toHaveLength(1)
  page.giveBack(page.memory)
  expect(givenBack).toEqual([expect.any(Buffer), page.memory])
})

import { expect, test } from 'vitest'
import { lastTermIn } from '../../../src/store/further-id.ts'
import { seededRandom } from '../../support/random.ts'

const NASTY = [
  '',
  'ñ €',
  '","',
  '["',
  '"]',
  '"],"complete":',
  '\\',
  '"',
  ',',
  '[',
  '\u{1f48a}',
  'a',
]

test('the last term is that of the parsed answer, whatever the terms', () => {
  const random = seededRandom(3)
  for (let round = 0; round < 5_000; round += 1) {
    const text = () => `${random.pick(NASTY)}${random.pick(NASTY)}${random.pick(NASTY)}`
    const terms = Array.from({ length: random.integer(4) }, text)
    const answer = {
      _shards: { total: 1, successful: 1, failed: 0 },
      terms,
      complete: random.chance(0.5),
    }
    expect(lastTermIn(Buffer.from(JSON.stringify(answer)))).toBe(terms.at(-1))
  }
})

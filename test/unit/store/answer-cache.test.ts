import { describe, expect, it } from 'vitest'
import { type CachedAnswer, openAnswerCache } from '../../../src/store/answer-cache.ts'

const answer = (text: string): CachedAnswer => ({ text, tag: null })

function counting(text: string) {
  const compute = async () => {
    compute.times += 1
    return answer(text)
  }
  compute.times = 0
  return compute
}

describe('openAnswerCache', () => {
  it('computes once per key', async () => {
    const cache = openAnswerCache({ maxChars: 100, clockMs: () => 0 })
    const one = counting('one')
    expect(await cache.get('a', one)).toEqual(answer('one'))
    expect(await cache.get('a', one)).toEqual(answer('one'))
    expect(await cache.get('b', counting('two'))).toEqual(answer('two'))
    expect(one.times).toBe(1)
  })

  it('computes once however many ask at the same time', async () => {
    const cache = openAnswerCache({ maxChars: 100, clockMs: () => 0 })
    const one = counting('one')
    const answers = await Promise.all([1, 2, 3].map(() => cache.get('a', one)))
    expect(answers).toEqual([answer('one'), answer('one'), answer('one')])
    expect(one.times).toBe(1)
  })

  it('a failure reaches all who wait and is forgotten', async () => {
    const cache = openAnswerCache({ maxChars: 100, clockMs: () => 0 })
    const failing = async () => {
      throw new Error('away')
    }
    const waiting = [cache.get('a', failing), cache.get('a', counting('late'))]
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ])
    expect(await cache.get('a', counting('again'))).toEqual(answer('again'))
  })

  it('an answer older than asked for is computed anew', async () => {
    let now = 0
    const cache = openAnswerCache({ maxChars: 100, clockMs: () => now })
    const one = counting('one')
    await cache.get('a', one, 30)
    now = 30
    await cache.get('a', one, 30)
    expect(one.times).toBe(1)
    now = 31
    await cache.get('a', one, 30)
    expect(one.times).toBe(2)
    await cache.get('a', one)
    expect(one.times).toBe(2)
  })

  it('forgets the least recently used when it is full', async () => {
    const cache = openAnswerCache({ maxChars: 12, clockMs: () => 0 })
    const [a, b, c] = [counting('aaa'), counting('bbb'), counting('ccc')]
    await cache.get('1', a)
    await cache.get('2', b)
    await cache.get('3', c)
    await cache.get('1', a)
    await cache.get('4', counting('ddd'))
    await cache.get('1', a)
    await cache.get('2', b)
    expect([a.times, b.times, c.times]).toEqual([1, 2, 1])
  })

  it('never keeps what alone is larger than it may be', async () => {
    const cache = openAnswerCache({ maxChars: 5, clockMs: () => 0 })
    const large = counting('much too large')
    await cache.get('a', large)
    await cache.get('a', large)
    expect(large.times).toBe(2)
  })
})

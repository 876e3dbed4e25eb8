import { describe, expect, test } from 'vitest'
import { watchCommits } from '../../../src/http/commit-watch.ts'
import { NEW_REGISTRY, type RegistryState } from '../../../src/store/state.ts'

const stateAt = (run: number): RegistryState => ({ ...NEW_REGISTRY, committed_run: run })
const NEVER = new AbortController().signal

function watched(limits?: { all: number; perKey: number }) {
  const registry = { state: stateAt(1), reads: 0, isAway: false }
  const watch = watchCommits(async () => {
    registry.reads += 1
    if (registry.isAway) throw new Error('away')
    return registry.state
  }, limits)
  const wait = (withinMs: number, more: { keyId?: string; signal?: AbortSignal } = {}) =>
    watch.next(stateAt(1), { keyId: 'a', signal: NEVER, ...more, withinMs })
  return { registry, watch, wait }
}

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('waiting for a commit', () => {
  test('gives the next state to all who wait, with one look for all of them', async () => {
    const { registry, wait } = watched()
    const waiting = Array.from({ length: 20 }, () => wait(10_000))
    await soon(500)
    expect(registry.reads).toBeLessThan(5)
    registry.state = stateAt(2)
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => stateAt(2)))
    const { reads } = registry
    await soon(500)
    expect(registry.reads).toBeLessThanOrEqual(reads + 1)
  })

  test('gives null when the time is over', async () => {
    expect(await watched().wait(30)).toBeNull()
  })

  test('a store that is away for a moment ends nobody’s waiting', async () => {
    const { registry, wait } = watched()
    registry.isAway = true
    const waiting = wait(10_000)
    await soon(300)
    registry.isAway = false
    registry.state = stateAt(2)
    expect(await waiting).toEqual(stateAt(2))
  })

  test('who leaves waits no longer and makes room', async () => {
    const { wait } = watched({ all: 5, perKey: 1 })
    const leaving = new AbortController()
    const left = wait(10_000, { signal: leaving.signal })
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await expect(wait(10_000, { signal: leaving.signal })).rejects.toThrow('left')
    expect(await wait(10)).toBeNull()
  })

  test('no more than so many of a key, and of all', async () => {
    const { wait, watch } = watched({ all: 3, perKey: 2 })
    const waiting = [wait(10_000), wait(10_000)]
    expect(() => wait(10)).toThrow(expect.objectContaining({ code: 'rate_limited' }))
    waiting.push(wait(10_000, { keyId: 'b' }))
    expect(() => wait(10, { keyId: 'c' })).toThrow(expect.objectContaining({ code: 'overloaded' }))
    watch.close()
    expect(await Promise.all(waiting)).toEqual([null, null, null])
  })

  test('after closing nobody waits', async () => {
    const { watch, wait } = watched()
    watch.close()
    expect(await wait(10_000)).toBeNull()
  })
})

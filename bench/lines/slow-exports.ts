import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../support/api.ts'
import { openAsker } from '../support/http.ts'
import type { Line } from '../support/line.ts'
import { spreadOf } from '../support/measure.ts'
import { filledRegistry } from '../support/registry.ts'

const RECORDS = 1_000_000
const READERS = 8
const SECONDS = 15
const BYTES_PER_SECOND = 1_000_000
const LOOK_MS = 100
const MB = 1024 * 1024
const MAX_MB = 64

/** Memory of the API while eight clients read an export of a million records slowly, beside its memory before any. */
export const slowExports: Line = {
  name: 'slow-exports',
  title: 'Slow exports',
  async run(setting) {
    const records = setting.size(RECORDS)
    const registry = await filledRegistry(setting, records, { events: 0 })
    const { api, territory } = registry
    const growth: number[] = []
    try {
      await warmUp(api)
      // Once: what the first exports leave behind is part of what they need.
      const idle = api.memoryBytes()
      for (let turn = 0; turn < setting.times; turn += 1) {
        await api.forgetExports()
        const path = `/v1/farmacias/export/${territory}/${turn % 2 === 0 ? 'csv' : 'json'}`
        growth.push(((await mostMemory(api, path)) - idle) / MB)
      }
    } finally {
      await registry.close()
    }
    const spread = spreadOf(growth)
    return [
      {
        what: `${READERS} slow exports of ${records} records, memory above idle`,
        ours: spread,
        unit: 'MB',
        judged: spread,
        target: { holds: 'at most', value: MAX_MB, unit: 'MB' },
      },
    ]
  },
}

/** A process that has served for a while: its first answers load code, which is not what is asked here. */
async function warmUp(api: Api): Promise<void> {
  const asker = openAsker(api.url, api.headers)
  for (let n = 0; n < 500; n += 1) {
    await asker.seconds({ path: '/v1/farmacias/territories' })
    await asker.seconds({ path: '/v1/farmacias/business-events?limit=500' })
  }
  asker.close()
}

async function mostMemory(api: Api, path: string): Promise<number> {
  const asker = openAsker(api.url, api.headers)
  let most = 0
  const reading = Array.from({ length: READERS }, () => readSlowly(api, path))
  const end = performance.now() + SECONDS * 1000
  while (performance.now() < end) {
    most = Math.max(most, api.memoryBytes())
    await sleep(LOOK_MS)
  }
  for (const stop of await Promise.all(reading)) await stop()
  asker.close()
  return most
}

/** Reads so many bytes a second and no more; the rest waits in the sockets. Gives what ends it. */
async function readSlowly(api: Api, path: string): Promise<() => Promise<void>> {
  const response = await fetch(`${api.url}${path}`, { headers: api.headers })
  if (response.status !== 200 || !response.body) throw new Error(`${path}: ${response.status}`)
  const reader = response.body.getReader()
  let isOver = false
  const work = (async () => {
    while (!isOver) {
      const { value, done } = await reader.read()
      if (done) return
      await sleep(((value as Uint8Array).length / BYTES_PER_SECOND) * 1000)
    }
  })()
  return async () => {
    isOver = true
    await work
    await reader.cancel()
  }
}

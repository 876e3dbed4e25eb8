import { gunzipSync } from 'node:zlib'
import { drainRate } from '../support/drain.ts'
import { type Asker, openAsker } from '../support/http.ts'
import type { Figure, Line } from '../support/line.ts'
import { alternate, spreadsOf } from '../support/measure.ts'
import { filledRegistry } from '../support/registry.ts'

const RECORDS = 200_000

/** Exports, the first time and again, beside draining the same documents with a point in time. */
export const exports: Line = {
  name: 'exports',
  title: 'Exports',
  async run(setting) {
    const records = setting.size(RECORDS)
    const registry = await filledRegistry(setting, records, { events: 0 })
    const { api, db, state, territory } = registry
    const asker = openAsker(api.url, api.headers)
    const path = (format: string) => `/v1/farmacias/export/${territory}/${format}`
    const theirs = () => drainRate(db, state, territory)
    const figures: Figure[] = []
    const figure = async (what: string, least: number, ours: () => Promise<number>) => {
      const spreads = spreadsOf(await alternate(setting.times, { ours, theirs }))
      figures.push({
        what,
        ours: spreads.ours,
        yardstick: { name: 'draining the same documents', spread: spreads.theirs },
        unit: 'records/s',
        judged: spreads.ratio,
        target: { holds: 'at least', value: least },
      })
    }
    try {
      for (const format of ['csv', 'json']) {
        await figure(`Export of ${records} records as ${format}, first time`, 0.7, async () => {
          await api.forgetExports()
          return rate(asker, path(format), records)
        })
        await figure(`Export of ${records} records as ${format}, again`, 10, () =>
          rate(asker, path(format), records),
        )
      }
      await figure(`Export of ${records} records as csv in gzip, again`, 10, () =>
        rate(asker, path('csv'), records, 'gzip'),
      )
      await assertNotModified(asker, path('csv'))
    } finally {
      asker.close()
      await registry.close()
    }
    return figures
  },
}

async function rate(asker: Asker, path: string, records: number, coding?: 'gzip'): Promise<number> {
  const chunks: Buffer[] = []
  const headers = coding ? { 'Accept-Encoding': coding } : {}
  const began = performance.now()
  const { statusCode } = await asker.read({ path }, (chunk) => chunks.push(chunk), headers)
  const seconds = (performance.now() - began) / 1000
  const body = Buffer.concat(chunks)
  const text = coding ? gunzipSync(body) : body
  const found = countOf(text, path.endsWith('csv') ? '\r\n' : '"external_id":')
  const expected = records + (path.endsWith('csv') ? 1 : 0)
  if (statusCode !== 200 || found !== expected) {
    throw new Error(`${path}: ${statusCode} with ${found} of ${expected}`)
  }
  return records / seconds
}

function countOf(text: Buffer, sign: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) count += 1
  return count
}

async function assertNotModified(asker: Asker, path: string): Promise<void> {
  const { headers } = await asker.read({ path }, () => undefined)
  const again = await asker.read({ path }, () => undefined, {
    'If-None-Match': String(headers.etag),
  })
  if (again.statusCode !== 304) throw new Error(`${path} again: ${again.statusCode}, not 304`)
}

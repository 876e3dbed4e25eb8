import { afterEach, describe, expect, test } from 'vitest'
import { openPublisher, type Publisher } from '../../support/publisher.ts'
import { aListed } from '../../support/register.ts'
import { serveRegistry } from '../../support/service.ts'

/** What was once said stays so: cursors, closed pharmacies, earlier datasets. */

const open: Publisher[] = []
async function publisher(now?: string): Promise<Publisher> {
  const published = await openPublisher(now === undefined ? {} : { now })
  open.push(published)
  return published
}
afterEach(async () => {
  for (const published of open.splice(0)) await published.close()
})

const listed = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => aListed(`P${from + n}`))

describe('what was once said', () => {
  test('api.md row 8: a cursor works after a restart of the API and 20 further loads', async () => {
    const { registry, service, load } = await publisher()
    await load('ES-MD', listed(0, 1))
    await load('ES-MD', listed(0, 30))
    const path = '/v1/farmacias/business-events?days=36500&limit=10'
    const first = (await service.get(path)).body
    const second = (await service.get(`${path}&cursor=${first.next_cursor}`)).body
    const search = (await service.get('/v1/farmacias/pharmacies?limit=10')).body
    const rest = `/v1/farmacias/pharmacies?limit=1000&cursor=${search.next_cursor}`
    const found = (await service.get(rest)).body
    for (let n = 0; n < 20; n++) await load('ES-MD', listed(n, 30))
    const restarted = await serveRegistry(registry.db)
    const again = (await restarted.get(`${path}&cursor=${first.next_cursor}`)).body
    expect(again).toEqual(second)
    expect((await restarted.get(rest)).body).toEqual(found)
    await restarted.close()
  }, 400_000)

  test('api.md row 24: a pharmacy closed 400 loads ago is still listed in events and changes', async () => {
    const { service, load, registry } = await publisher()
    await load('ES-MD', [aListed('0'), aListed('ida', { name: 'Farmacia Ida' })])
    await load('ES-MD', [aListed('0')])
    // Every tenth brings something; the others are recorded as unchanged.
    for (let n = 1; n <= 400; n++) {
      await load('ES-MD', [aListed('0', { city: `Villa ${Math.floor(n / 10) % 2}` })])
    }
    const events = await service.get(
      '/v1/farmacias/business-events?days=36500&event_types=closed_hard&limit=10',
    )
    expect(events.body.items).toMatchObject([{ external_id: 'ida', name: 'Farmacia Ida' }])
    const changes = await service.get('/v1/farmacias/changes?since=2000-01-01T00:00:00Z&limit=3')
    expect(changes.body.items[2]).toMatchObject({
      id: 3,
      operation: 'delete',
      external_id: 'ida',
      payload: { name: 'Farmacia Ida' },
    })
    const pharmacy = await service.get('/v1/farmacias/pharmacies/ES-MD/ida')
    expect(pharmacy.body).toMatchObject({
      record: null,
      versions: [{ record: { name: 'Farmacia Ida' } }],
    })
    expect((await registry.state()).committed_run).toBeGreaterThan(400)
  }, 900_000)

  test('api.md row 41: as_of shows the export kept from then, in every form, and what was known of a pharmacy', async () => {
    const { service, load, observedAt } = await publisher()
    const kept: { at: string; items: unknown; versions: number }[] = []
    for (let n = 0; n < 5; n++) {
      await load('ES-MD', [...listed(n, 6), aListed('fija', { owner: `Titular ${n}` })], {
        observedAt: `2026-0${n + 1}-10T06:00:00.000Z`,
      })
      const { items } = (await service.get('/v1/farmacias/export/ES-MD/json')).body
      kept.push({ at: observedAt(), items, versions: n + 1 })
    }
    for (const { at, items, versions } of kept) {
      for (const instant of [at, at.replace('-10T', '-25T')]) {
        const get = async (path: string) => service.get(`${path}?as_of=${instant}`)
        expect((await get('/v1/farmacias/export/ES-MD/json')).body.items).toEqual(items)
        const lines = (await get('/v1/farmacias/export/ES-MD/ndjson')).text.trimEnd().split('\n')
        expect(lines.map((line) => JSON.parse(line))).toEqual(items)
        const { features } = (await get('/v1/farmacias/export/ES-MD/geojson')).body
        expect(features.map(({ properties }: { properties: unknown }) => properties)).toEqual(items)
        const found = (await get('/v1/farmacias/pharmacies')).body.items
        expect(
          found.map(({ distance_meters: _meters, ...record }: Record<string, unknown>) => record),
        ).toEqual(items)
        const pharmacy = (await get('/v1/farmacias/pharmacies/ES-MD/fija')).body
        expect(pharmacy.versions.length).toBe(versions)
        expect(pharmacy.record.owner_name).toBe(`Titular ${versions - 1}`)
      }
    }
    const before = await service.get('/v1/farmacias/export/ES-MD/json?as_of=2026-01-10T05:59:59Z')
    expect(before).toMatchObject({ status: 404, body: { code: 'before_baseline' } })
  }, 400_000)

  // The meridian of Greenwich crosses Castellón; Elasticsearch writes such a number anew when a version ends.
  test('a CSV as observed before is the CSV of then, also right beside the meridian', async () => {
    const { service, load, observedAt } = await publisher()
    const places = [-0.000512, 0.0005, 0.000001, 0, 0.001, -0.5]
    const atPlaces = (more: object) =>
      places.map((longitude, n) =>
        aListed(`P${n}`, { latitude: 39.98, longitude, postalCode: '12001', ...more }),
      )
    await load('ES-VC', atPlaces({ name: 'La Primera, 24 h' }))
    const then = observedAt()
    const kept = await service.get('/v1/farmacias/export/ES-VC/csv')
    await load('ES-VC', atPlaces({ name: 'La Segunda' }))
    const again = await service.get(`/v1/farmacias/export/ES-VC/csv?as_of=${then}`)
    expect(again.text).toBe(kept.text)
    const rows = kept.text.trimEnd().split('\r\n').slice(1)
    expect(rows.map((row) => row.split(',39.98,')[1]?.split(',')[0])).toEqual(places.map(String))
  }, 60_000)
})

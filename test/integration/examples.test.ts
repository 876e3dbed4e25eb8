import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/http/routes.ts'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { aListed, type Listed, registerDefinition, writeRegister } from '../support/register.ts'
import { type Service, serveRegistry } from '../support/service.ts'

/**
 * The examples of the documents are what the service answers to these requests over these loads. Only what depends on
 * the machine's clock or on chance is replaced. `vitest -u` writes them anew.
 */

const NOW = '2026-02-02T10:00:00.000Z'
const WINDOW = 'from=2026-01-03T00:00:00Z&to=2026-02-02T00:00:00Z'
const REQUESTS: Readonly<Record<string, string>> = {
  listBusinessEvents: `/v1/farmacias/business-events?${WINDOW}&limit=2`,
  summarizeBusinessEvents: `/v1/farmacias/business-events/summary?${WINDOW}`,
  listRelocations: `/v1/farmacias/relocations?${WINDOW}`,
  latestIncremental: '/v1/farmacias/incremental/latest?window=30d&limit_per_type=1',
  listChanges: '/v1/farmacias/changes?since=2000-01-01T00:00:00Z&cursor=5&limit=2',
  exportCsv: '/v1/farmacias/export/ES-CT/csv',
  exportJson: '/v1/farmacias/export/ES-CT/json',
  exportGeoJson: '/v1/farmacias/export/ES-CT/geojson',
  exportNdjson: '/v1/farmacias/export/ES-CT/ndjson',
  listTerritories: '/v1/farmacias/territories',
  showTerritoryDigest: '/v1/farmacias/territories/ES-CT/digest',
  listLoads: '/v1/farmacias/loads?limit=1',
  searchPharmacies:
    '/v1/farmacias/pharmacies?q=sol&near_latitude=40.4168&near_longitude=-3.7038&radius_meters=2000',
  showPharmacy: '/v1/farmacias/pharmacies/ES-MD/0071',
  showKey: '/v1/key',
  healthLive: '/health/live',
  healthReady: '/health/ready',
}

const SOL = aListed('0071', {
  name: 'Farmacia del Sol',
  address: 'Calle Mayor, 5',
  postalCode: '28013',
  city: 'Madrid',
  owner: 'Ana Inventada López',
  latitude: 40.416775,
  longitude: -3.703791,
})
const RIO = aListed('0072', {
  name: 'Farmacia del Río',
  address: 'Avenida del Puerto, s/n',
  postalCode: '28801',
  city: 'Alcalá de Henares',
  owner: 'Luis Ficticio Núñez',
  latitude: 40.481979,
  longitude: -3.364185,
})
const ALBA = aListed('0073', { name: 'Farmacia Alba', city: 'Getafe', postalCode: '28901' })
const MAR = aListed('B-17', {
  name: 'Farmàcia del Mar',
  address: 'Carrer Major, 12',
  postalCode: '08003',
  city: 'Barcelona',
  owner: 'Marta Suposada Puig',
  latitude: 41.380425,
  longitude: 2.189957,
})
const FONT = { ...MAR, id: 'B-18', name: 'Farmàcia de la Font', latitude: null, longitude: null }

const LOADS: readonly [territory: string, observedAt: string, register: readonly Listed[]][] = [
  ['ES-MD', '2026-01-02T06:00:00.000Z', [SOL, RIO, ALBA]],
  ['ES-CT', '2026-01-02T06:05:00.000Z', [MAR, FONT]],
  [
    'ES-MD',
    '2026-02-01T06:00:00.000Z',
    [
      { ...SOL, address: 'Plaza del Sol, 12', latitude: 40.417123, longitude: -3.703456 },
      { ...RIO, owner: 'Marta Supuesta Ríos' },
      aListed('0074', { ...ALBA, id: '0074', name: 'Farmacia Nueva' }),
    ],
  ],
]

let folder: string
let registry: TestRegistry
let service: Service
const began = new Date().toISOString()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-examples-'))
  registry = await openTestRegistry()
  for (const [index, [territory, observedAt, register]] of LOADS.entries()) {
    const file = writeRegister(folder, `snapshot-${index}`, register)
    await registry.load({
      definition: registerDefinition(folder, { territory }),
      file,
      observedAt,
      force: true,
    })
  }
  service = await serveRegistry(registry.db, { now: () => Date.parse(NOW) })
})
afterAll(async () => {
  await service.close()
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

const INSTANTS: Readonly<Record<string, string>> = {
  started_at: '2026-02-01T06:00:01.207Z',
  finished_at: '2026-02-01T06:00:02.954Z',
  last_checked_at: '2026-02-01T06:00:02.941Z',
}
const COMMITTED = '2026-02-01T06:00:02.918Z'

/** The same whenever and wherever it runs. */
function settled(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (typeof value === 'string' && /^\d{4}-.*Z$/.test(value) && value >= began) {
      return INSTANTS[name] ?? COMMITTED
    }
    if (name === 'rate_limit') return { limit: 600, remaining: 599, reset_seconds: 1 }
    return value
  })
}

test('every endpoint has an example, and it is what the service answers', async () => {
  expect(Object.keys(REQUESTS).sort()).toEqual(endpoints.map(({ name }) => name).sort())
  const examples: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(REQUESTS)) {
    const { status, body, text } = await service.get(path)
    expect([path, status]).toEqual([path, 200])
    examples[name] = settled(body ?? text)
  }
  Object.assign(examples.showKey as object, { id: '3f9c1a7be204', name: 'Panel de control' })
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(
    '../../src/http/examples.json',
  )
})

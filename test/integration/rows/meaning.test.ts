import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/domain/event.ts'
import { endpoints } from '../../../src/http/routes.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'
import { openPublisher, type Publisher } from '../../support/publisher.ts'
import { aListed } from '../../support/register.ts'
import { itemsOf, walkPages } from '../../support/walk.ts'

/** The same question has the same answer, however it is spelt, wherever the machine is, and as documented. */

const ROOT = join(import.meta.dirname, '../../..')
const NOW = '2026-03-31T12:00:00.000Z'

let published: Publisher
beforeAll(async () => {
  published = await openPublisher({ now: NOW })
  const places = [
    ['15001', 'A Coruña', 'Ferrol'],
    ['17001', 'Girona', 'Peñaranda'],
    ['03001', 'Alicante', 'Alcoi/Alcoy'],
    ['48001', 'Bizkaia', 'Getxo'],
  ] as const
  await published.load('ES-MD', [aListed('0')], { observedAt: '2026-03-28T23:30:00.000Z' })
  await published.load(
    'ES-MD',
    [
      aListed('0'),
      ...places.map(([postalCode, , city]) => aListed(postalCode, { postalCode, city })),
    ],
    { observedAt: '2026-03-29T00:30:00.000Z' },
  )
  await published.load('ES-MD', [aListed('0')], { observedAt: '2026-03-29T22:30:00.000Z' })
})
afterAll(() => published.close())

describe('places and texts', () => {
  test.each([
    ['Alicante', '03001'],
    ['Alacant', '03001'],
    ['Coruña, A', '15001'],
    ['La Coruña', '15001'],
    ['A Coruña', '15001'],
    ['Vizcaya', '48001'],
    ['Bizkaia', '48001'],
    ['Gerona', '17001'],
    ['GIRONA', '17001'],
  ])('api.md row 30: province=%s finds the events of its province', async (province, id) => {
    const query = `days=30&event_types=opened&province=${encodeURIComponent(province)}`
    const { body } = await published.service.get(`/v1/farmacias/business-events?${query}`)
    expect(body.items.map((item: { external_id: string }) => item.external_id)).toEqual([id])
    const closed = await published.service.get(
      `/v1/farmacias/business-events/summary?days=30&province=${encodeURIComponent(province)}`,
    )
    expect(closed.body.total).toBe(2)
  })

  test.each(['Peñaranda', 'penaranda', 'PEÑARANDA', 'Penaranda '])(
    'api.md row 29: city=%s finds the ñ with and without its tilde',
    async (city) => {
      const query = `days=30&event_types=opened&city=${encodeURIComponent(city)}`
      const { body } = await published.service.get(`/v1/farmacias/business-events?${query}`)
      expect(body.items.map((item: { external_id: string }) => item.external_id)).toEqual(['17001'])
    },
  )
})

describe('windows', () => {
  test('api.md row 12: nothing found is 200 and empty, on every list', async () => {
    const window = 'from=2000-01-01T00:00:00Z&to=2000-02-01T00:00:00Z'
    const get = async (path: string) => (await published.service.get(path)).body
    const empty = { items: [], next_cursor: null }
    expect(await get(`/v1/farmacias/business-events?${window}`)).toMatchObject(empty)
    expect(await get(`/v1/farmacias/relocations?${window}`)).toMatchObject(empty)
    expect(await get('/v1/farmacias/changes?since=2030-01-01T00:00:00Z')).toMatchObject(empty)
    expect(await get('/v1/farmacias/pharmacies?q=nadie')).toEqual(empty)
    expect(await get('/v1/farmacias/loads?territories=ES-ZZ')).toEqual(empty)
    expect(await get(`/v1/farmacias/business-events/summary?${window}`)).toMatchObject({
      total: 0,
      items: EVENT_TYPES.map((key) => ({ key, count: 0 })),
    })
    expect(await get('/v1/farmacias/incremental/latest?territory_code=ES-ZZ')).toMatchObject({
      counts: { opened: 0, closed_total: 0, closed_hard: 0, closed_soft: 0, relocated: 0 },
      items: { opened: [], closed: [], relocated: [] },
    })
  })

  test('api.md row 28: answers do not depend on the zone of the machine, over clock changes too', async () => {
    const paths = [
      '/v1/farmacias/business-events?from=2026-03-28T23:00:00Z&to=2026-03-30T01:00:00Z',
      '/v1/farmacias/business-events/summary?days=30&interval=day&time_zone=Europe/Madrid',
      '/v1/farmacias/business-events/summary?days=180&interval=month',
      '/v1/farmacias/incremental/latest?window=all',
      '/v1/farmacias/pharmacies/ES-MD/0?as_of=2026-03-29T01:30:00Z',
      '/v1/farmacias/export/ES-MD/csv?as_of=2026-03-29T02:30:00Z',
      '/v1/farmacias/territories',
    ]
    const before = process.env.TZ
    const answers: string[][] = []
    const offsets = new Set<number>()
    try {
      for (const zone of ['UTC', 'America/Lima', 'Europe/Madrid', 'Pacific/Auckland']) {
        process.env.TZ = zone
        offsets.add(new Date(NOW).getTimezoneOffset())
        const fresh = await openAgain()
        answers.push(await Promise.all(paths.map(async (path) => (await fresh.get(path)).text)))
        await fresh.close()
      }
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
    expect(offsets.size).toBe(4)
    for (const zoned of answers) expect(zoned).toEqual(answers[0])
    const instants =
      answers
        .flat()
        .join()
        .match(/\d{4}-\d\d-\d\dT[0-9:.]*[^",]*/g) ?? []
    expect(instants.length).toBeGreaterThan(100)
    for (const instant of instants) expect(instant).toMatch(/^[\d-]{10}T[\d:]{8}\.\d{3}Z/)
  })

  async function openAgain() {
    const { serveRegistry } = await import('../../support/service.ts')
    return serveRegistry(published.registry.db, { now: () => Date.parse(NOW), isFresh: true })
  }
})

describe('api.md row 10: counts are exact on any index settings', () => {
  test.each([1, 3, 7])(
    'summary against a count over the walked listing, %i shards',
    async (shards) => {
      const made = await serveMade(
        {
          seed: shards,
          territories: ['ES-MD', 'ES-CT', 'ES-PV', 'ES-GA', 'ES-AN'],
          records: 120,
          runs: 20,
          changesPerRun: 100,
          towns: 4000,
          start: '2026-03-01T06:00:00.000Z',
        },
        NOW,
        { shards },
      )
      try {
        await expectExact(made)
      } finally {
        await made.close()
      }
    },
  )

  async function expectExact(service: MadeService): Promise<void> {
    const window = `from=2026-01-01T00:00:00Z&to=${NOW}`
    const items = itemsOf(
      await walkPages(service, `/v1/farmacias/business-events?${window}&limit=500`),
    ) as { event_type: string; territory_code: string }[]
    expect(items.length).toBeGreaterThan(1000)
    for (const [groupBy, field] of [
      ['event_type', 'event_type'],
      ['territory', 'territory_code'],
    ] as const) {
      const { body } = await service.get(
        `/v1/farmacias/business-events/summary?${window}&group_by=${groupBy}`,
      )
      for (const { key, count } of body.items) {
        expect([key, count]).toEqual([key, items.filter((item) => item[field] === key).length])
      }
      expect(body.total).toBe(items.length)
    }
    const cities = await service.get(
      `/v1/farmacias/business-events/summary?${window}&group_by=city`,
    )
    const sum = cities.body.items.reduce((n: number, { count }: { count: number }) => n + count, 0)
    expect([sum, cities.body.items.length > 300]).toEqual([items.length, true])
  }
})

describe('the documents', () => {
  test('api.md row 13: next_cursor is required in every list, and the first example reads to the end', async () => {
    const document = (await published.service.get('/openapi.json')).body
    const lists = Object.values<{ get: { responses: Record<string, Answered> } }>(document.paths)
      .map(({ get }) => get.responses['200']?.content['application/json']?.schema)
      .filter((schema) => schema?.properties?.next_cursor)
    expect(lists.length).toBe(5)
    for (const schema of lists) expect(schema?.required).toContain('next_cursor')

    const page = readFileSync(join(ROOT, 'docs/api.md'), 'utf8')
    const [, example] = /```ts\n([\s\S]*?)```/.exec(page) ?? []
    const file = join(published.folder, 'example.ts')
    writeFileSync(file, (example ?? '').replace("limit: '500'", "limit: '1'"))
    const output = await outputOf(process.execPath, [file])
    const { body } = await published.service.get(
      '/v1/farmacias/business-events?event_types=opened&days=36500',
    )
    const expected = body.items.map(
      (item: Record<string, string>) =>
        `${item.occurred_at} ${item.territory_code} ${item.external_id} ${item.name}`,
    )
    expect(expected.length).toBe(4)
    expect(output.trim().split('\n')).toEqual(expected)

    const [, shell] = /```sh\n([\s\S]*?)```/.exec(page) ?? []
    const tabs = await outputOf('bash', ['-c', (shell ?? '').replace('limit=500', 'limit=3')])
    expect(tabs.trim().split('\n')).toEqual(expected.map(tabbed))
  })

  const tabbed = (line: string) => {
    const [at, territory, id, ...name] = line.split(' ')
    return [at, territory, id, name.join(' ')].join('\t')
  }

  async function outputOf(command: string, args: string[]): Promise<string> {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        BASE_URL: published.service.url,
        API_KEY: await published.service.key(),
      },
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    return text
  }

  test('api.md row 38: good and bad answers of every address validate against /openapi.json', async () => {
    const document = (await published.service.get('/openapi.json')).body
    const problem = Compile(document.components.schemas.Problem)
    const path = (template: string) =>
      template.replace(':territory_code', 'ES-MD').replace(':external_id', '0')
    for (const { name, path: template, open } of endpoints) {
      const address = path(template)
      const operation = document.paths[template.replace(/:(\w+)/g, '{$1}')].get
      expect(operation.operationId).toBe(name)
      const good = await published.service.get(
        name === 'listChanges' ? `${address}?since=2000-01-01T00:00:00Z` : address,
      )
      const [[contentType, { schema }]] = Object.entries<{ schema: Schema }>(
        operation.responses[good.status].content,
      ) as [[string, { schema: Schema }]]
      expect(good.headers.get('content-type')).toContain(contentType)
      if (/json$/.test(contentType) && contentType !== 'application/x-ndjson') {
        expect([name, Compile(schema as never).Check(good.body)]).toEqual([name, true])
      }
      const bad = [
        await published.service.get(`${address}?unknown=1`),
        await published.service.get(address, { key: open ? '' : 'wrong' }),
        await published.service.get(address.replace('ES-MD', 'ES-ZZ'), {
          key: await published.service.key(['ES-CT']),
        }),
        await published.service.get(address.replace('ES-MD', 'es-md')),
      ]
      for (const answer of bad.filter(({ status }) => status >= 400)) {
        expect(Object.keys(operation.responses)).toContain(String(answer.status))
        expect([name, answer.status, problem.Check(answer.body)]).toEqual([
          name,
          answer.status,
          true,
        ])
      }
    }
  })
})

interface Answered {
  content: Record<string, { schema: Schema }>
}

interface Schema {
  properties?: Record<string, unknown>
  required?: string[]
}

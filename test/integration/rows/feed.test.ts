import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { openDb } from '../../../src/store/db.ts'
import { ensureIndices } from '../../../src/store/indices.ts'
import { startCli } from '../../support/cli.ts'
import { EDITS, edited, newRegister } from '../../support/published.ts'
import { openPublisher, type Publisher } from '../../support/publisher.ts'
import { seededRandom } from '../../support/random.ts'
import {
  aListed,
  csvOf,
  type Listed,
  registerDefinition,
  writeRegister,
} from '../../support/register.ts'
import { elasticsearchUrl, testPrefix } from '../../support/registry.ts'
import { type Service, serveRegistry } from '../../support/service.ts'

/** What followers of the change feed rely on, over real loads. */

const CHANGES = '/v1/farmacias/changes?since=2000-01-01T00:00:00Z'

const open: Publisher[] = []
async function publisher(): Promise<Publisher> {
  const published = await openPublisher()
  open.push(published)
  return published
}
afterEach(async () => {
  for (const published of open.splice(0)) await published.close()
})

interface ChangeItem {
  id: number
  territory_code: string
  external_id: string
  operation: string
  payload: { name: string }
}

/** Follows the feed from a cursor to its end. */
async function follow(service: Service, cursor = 0, limit = 2000) {
  const items: ChangeItem[] = []
  for (;;) {
    const { body } = await service.get(`${CHANGES}&cursor=${cursor}&limit=${limit}`)
    items.push(...body.items)
    cursor = body.resume_cursor
    if (body.next_cursor === null) return { items, cursor }
  }
}

describe('the change feed', () => {
  test('a commit that the journal tells of is in every answer that follows', async () => {
    const published = await openPublisher({ isFresh: false })
    open.push(published)
    const { service } = published
    for (const round of [1, 2, 3, 4]) {
      let isLoading = true
      // What the service knows of the state is never old: it would look for it by itself only after a second.
      const polling = (async () => {
        while (isLoading) await service.get('/v1/farmacias/territories')
      })()
      const loaded = await published.load(
        'ES-MD',
        Array.from({ length: round }, (_, n) => aListed(String(n))),
      )
      isLoading = false
      await polling
      const { body } = await service.get('/v1/farmacias/loads?limit=1')
      expect([body.items[0].run_id, body.items[0].status]).toEqual([loaded.run_id, 'committed'])
      expect((await follow(service)).items.length).toBe(round)
    }
  })

  test('api.md row 16: polled in a tight loop while loaders work, wait and are killed, nothing is stepped over', async () => {
    const { registry, service, folder } = await publisher()
    const random = seededRandom(16)
    let register = newRegister(random, 200)
    const definitions = join(folder, 'sources')
    const { file: _file, ...definition } = registerDefinition(folder, { territory: 'ES-MD' })
    const snapshot = (n: number) => {
      for (let edits = 0; edits < 40; edits++)
        register = edited(random, register, random.pick(EDITS))
      return writeRegister(folder, `snapshot-${n}`, register.rows.values())
    }
    writeRegister(definitions, 'register', register.rows.values())
    writeFileSync(join(definitions, 'registro.yaml'), stringify(definition))
    const started = (n: number) => {
      const observedAt = new Date(Date.parse('2026-01-01T06:00:00Z') + n * 60_000).toISOString()
      const input = ['--file', snapshot(n), '--observed-at', observedAt]
      return startCli(['load', '--sources', definitions, ...input, '--force', '--json'], {
        ELASTICSEARCH_URL: elasticsearchUrl(),
        INDEX_PREFIX: registry.db.prefix,
        INDEX_REPLICAS: '0',
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'silent',
      })
    }

    const polled: ChangeItem[] = []
    let cursor = 0
    let isLoading = true
    const polling = (async () => {
      while (isLoading) {
        const { body } = await service.get(`${CHANGES}&cursor=${cursor}&limit=50`)
        polled.push(...body.items)
        cursor = body.resume_cursor
      }
    })()
    let n = 0
    const began = performance.now()
    await started(++n).ended
    const oneTakes = performance.now() - began
    let killed = 0
    for (let round = 0; round < 4; round++) {
      // Two at once: one waits for the lease of the other; and one that does not live to its end.
      const pair = [started(++n), started(++n)]
      const doomed = started(++n)
      // At some moment of its life, however fast the machine is.
      await new Promise((resolve) => setTimeout(resolve, oneTakes * (0.4 + random.number())))
      if (doomed.child.exitCode === null) killed += 1
      doomed.child.kill('SIGKILL')
      await Promise.all([doomed, ...pair].map(({ ended }) => ended))
    }
    isLoading = false
    await polling
    const rest = await follow(service, cursor)
    const { items } = await follow(service)
    expect([...polled, ...rest.items].map(({ id }) => id)).toEqual(items.map(({ id }) => id))
    expect(items.map(({ id }) => id)).toEqual(items.map((_, index) => index + 1))
    expect(killed).toBeGreaterThan(0)
    expect(await registry.broken()).toEqual([])
  }, 600_000)

  test('api.md row 17: ids survive a restart and a copy of the indices under another prefix', async () => {
    const { registry, service, load } = await publisher()
    await load('ES-MD', [aListed('1'), aListed('2')])
    await load('ES-MD', [aListed('1'), aListed('3')])
    const { cursor } = await follow(service, 0, 1)
    const page = (await service.get(`${CHANGES}&cursor=1`)).text

    const restarted = await serveRegistry(registry.db)
    expect((await restarted.get(`${CHANGES}&cursor=1`)).text).toBe(page)
    await restarted.close()

    const copy = openDb(registry.db.client, testPrefix())
    await ensureIndices(copy, { shards: 1, replicas: 0 })
    for (const name of ['pharmacies', 'events', 'changes', 'runs', 'state'] as const) {
      await copyIndex(registry.db, copy, name)
    }
    const restored = await serveRegistry(copy)
    expect((await restored.get(`${CHANGES}&cursor=1`)).text).toBe(page)
    const beyond = await restored.get(`${CHANGES}&cursor=${cursor}`)
    expect(beyond.body).toEqual({ items: [], next_cursor: null, resume_cursor: cursor })
    await restored.close()
  })

  test('api.md row 18: a delete stays in the feed with its last record', async () => {
    const { service, load } = await publisher()
    await load('ES-MD', [aListed('1', { name: 'Farmacia Ida' }), aListed('2')])
    await load('ES-MD', [aListed('2')])
    for (const city of ['Soria', 'Ávila', 'Teruel']) await load('ES-MD', [aListed('2', { city })])
    const { items } = await follow(service)
    const last = items.filter(({ external_id }) => external_id === '1').at(-1)
    expect(last).toMatchObject({ operation: 'delete', payload: { name: 'Farmacia Ida' } })
  })

  test('api.md row 20: a load without a difference is told, and changes nothing else', async () => {
    const { service, load, registry } = await publisher()
    const register = [aListed('1'), aListed('2')]
    await load('ES-MD', register)
    const territory = async () => (await service.get('/v1/farmacias/territories')).body.items[0]
    const tag = async () =>
      (await service.get('/v1/farmacias/export/ES-MD/json')).headers.get('etag')
    const [before, etag] = [await territory(), await tag()]
    const run = await load('ES-MD', register)
    expect(run.status).toBe('unchanged')
    const { body } = await service.get('/v1/farmacias/loads?limit=1')
    expect(body.items[0]).toMatchObject({ run_id: run.run_id, status: 'unchanged' })
    const after = await territory()
    expect(after.last_checked_at > before.last_checked_at).toBe(true)
    expect(after.last_changed_at).toBe(before.last_changed_at)
    expect(await tag()).toBe(etag)
    expect((await registry.state()).last_change_id).toBe(2)
  })

  test('api.md row 21, 22: after each of 30 random loads the replayed changes are the export, whose tag then holds', async () => {
    const { service, load } = await publisher()
    const random = seededRandom(21)
    let register = newRegister(random, 40)
    const copy = new Map<string, unknown>()
    let position = 0
    for (let n = 0; n < 30; n++) {
      for (let edits = 0; edits < 5; edits++)
        register = edited(random, register, random.pick(EDITS))
      await load('ES-MD', register.rows.values())
      const { items, cursor } = await follow(service, position, 7)
      position = cursor
      for (const { external_id, operation, payload } of items) {
        if (operation === 'upsert') copy.set(external_id, payload)
        else copy.delete(external_id)
      }
      const { body, headers } = await service.get('/v1/farmacias/export/ES-MD/json')
      expect(new Map(body.items.map((r: { external_id: string }) => [r.external_id, r]))).toEqual(
        copy,
      )
      expect(body.changes_cursor).toBe(position)
      const again = await service.get('/v1/farmacias/export/ES-MD/json', {
        headers: { 'If-None-Match': headers.get('etag') as string },
      })
      expect(again.status).toBe(304)
    }
  }, 400_000)

  test('api.md row 23: the same rows in another order and encoding change nothing', async () => {
    const { service, load, registry, folder } = await publisher()
    const register = [aListed('1', { city: 'Ávila' }), aListed('2', { name: 'Farmacia Ñ' })]
    await load('ES-MD', register)
    const before = (await service.get('/v1/farmacias/export/ES-MD/json')).text
    await load('ES-MD', [...register].reverse())
    const latin = join(folder, 'latin.csv')
    writeFileSync(latin, Buffer.from(csvOf(register), 'latin1'))
    const definition = registerDefinition(folder, { decode: { encoding: 'windows-1252' } })
    await registry.load({
      definition,
      file: latin,
      observedAt: '2026-01-01T07:00:00.000Z',
      force: true,
    })
    const after = await service.get('/v1/farmacias/export/ES-MD/json')
    expect(JSON.parse(after.text).items).toEqual(JSON.parse(before).items)
    expect((await follow(service)).items.length).toBe(2)
    const events = await service.get('/v1/farmacias/business-events?days=36500')
    expect(events.body.items).toEqual([])
  })

  test('api.md row 40: a poll with nothing new repeats its cursor; over 100 random polls nothing is lost', async () => {
    const { service, load } = await publisher()
    const random = seededRandom(40)
    let register: Listed[] = Array.from({ length: 30 }, (_, n) => aListed(`P${n}`))
    await load('ES-MD', register)
    const seen: number[] = []
    let cursor = 0
    for (let polls = 0; polls < 100; polls++) {
      if (random.chance(0.2)) {
        register = register.map((listed) =>
          random.chance(0.2) ? { ...listed, city: `Villa ${random.integer(9)}` } : listed,
        )
        await load(random.chance(0.5) ? 'ES-MD' : 'ES-CT', register)
      }
      const limit = 1 + random.integer(20)
      const { body } = await service.get(`${CHANGES}&cursor=${cursor}&limit=${limit}`)
      seen.push(...body.items.map(({ id }: { id: number }) => id))
      if (body.items.length === 0) expect(body.resume_cursor).toBe(cursor)
      cursor = body.resume_cursor
    }
    const rest = await follow(service, cursor)
    const all = (await follow(service)).items.map(({ id }) => id)
    expect([...seen, ...rest.items.map(({ id }) => id)]).toEqual(all)
  }, 400_000)
})

/** Every document under its own id, as restoring a snapshot with other index names gives it. */
async function copyIndex(
  from: ReturnType<typeof openDb>,
  to: ReturnType<typeof openDb>,
  name: 'pharmacies' | 'events' | 'changes' | 'runs' | 'state',
): Promise<void> {
  await from.client.indices.refresh({ index: from.alias(name) })
  const { hits } = (await from.client.search({ index: from.alias(name), size: 1000 })).hits
  for (const { _id, _source } of hits) {
    await to.client.index({
      index: to.alias(name),
      document: _source as object,
      refresh: true,
      ...(_id === undefined ? {} : { id: _id }),
    })
  }
}

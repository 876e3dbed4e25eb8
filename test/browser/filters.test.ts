import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  figureOf,
  figuresOf,
  hasBrowser,
  openBrowser,
  settled,
  type Visit,
  visit,
} from './support/page.ts'
import { demo, serveDashboard, type TestService } from './support/service.ts'

interface Relocation {
  event_id: string
  name: string
  distance_meters: number | null
  old: { city: string; province: string }
  new: { city: string; province: string; latitude: number | null; longitude: number | null }
}
interface Summary {
  total: number
  items: { key: string; count: number }[]
}

describe.runIf(hasBrowser)('filters change what is asked and what is shown', () => {
  let browser: Browser
  let service: TestService
  let seen: Visit
  beforeAll(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), serveDashboard()])
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })
  beforeEach(async () => {
    const key = demo().keys.everywhere
    seen = await visit(browser, { url: service.url, key, at: '/overview?window=180d' })
    await settled(seen)
  })
  afterEach(async () => {
    expect(seen.faults).toEqual([])
    await seen.close()
  })

  const go = async (fragment: string) => {
    await seen.page.goto(`${service.url}/#${fragment}`)
    await settled(seen)
  }
  const ask = <Body>(path: string) => service.ask<Body>(path, demo().keys.everywhere)
  const relocations = async (query: string) =>
    (await ask<{ items: Relocation[] }>(`/v1/farmacias/relocations?${query}`)).items
  const rowNames = () => seen.page.locator('.relocations tbody .link').allTextContents()
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)

  it('a territory', async () => {
    const { page } = seen
    await page.locator('.picker summary').click()
    await page.getByRole('checkbox', { name: 'Navarra' }).check()
    await page.keyboard.press('Escape')
    await page.waitForURL(/territories=ES-NC/)
    await settled(seen)
    const { total } = await ask<Summary>(
      '/v1/farmacias/business-events/summary?days=180&territories=ES-NC',
    )
    expect(await figureOf(seen, '[data-count=total]')).toBe(total)
    expect(Object.keys(await figuresOf(seen, 'data-territory'))).toEqual(['ES-NC'])
    expect(seen.asked.some((path) => path.includes('territories=ES-NC'))).toBe(true)
  })

  it('the territories offered are those of the key', async () => {
    const mine = await visit(browser, { url: service.url, key: demo().keys.scoped })
    await settled(mine)
    await mine.page.locator('.picker summary').click()
    expect(await mine.page.locator('.picker-list .code').allTextContents()).toEqual([
      'ES-MD',
      'ES-NC',
    ])
    expect(await mine.page.locator('.key-scope').textContent()).toBe(
      'Ámbito: Comunidad de Madrid, Navarra',
    )
    await mine.close()
  })

  it('a province, from the list of the map and back', async () => {
    const { page } = seen
    await page.locator('.by-province').getByRole('button', { name: 'Bizkaia' }).click()
    await page.waitForURL(/province=Bizkaia/)
    await settled(seen)
    const { total } = await ask<Summary>(
      '/v1/farmacias/business-events/summary?days=180&province=Bizkaia',
    )
    expect(await figureOf(seen, '[data-count=total]')).toBe(total)
    await page.getByLabel('Provincia', { exact: true }).selectOption('')
    await settled(seen)
    expect(await figureOf(seen, '[data-count=total]')).toBeGreaterThan(total)
  })

  it('a kind of event: the map and the ranking count the others only', async () => {
    const { page } = seen
    await page.getByRole('button', { name: /^Cambios de titular/ }).click()
    await settled(seen)
    const types = 'opened,reopened,relocated,closed_soft,closed_hard'
    const { total } = await ask<Summary>(
      `/v1/farmacias/business-events/summary?days=180&event_types=${types}`,
    )
    expect(sum(await figuresOf(seen, 'data-territory'))).toBe(total)
    expect(sum(await figuresOf(seen, 'data-province'))).toBe(total)
  })

  it('an interval, seen in the table of the columns', async () => {
    const { page } = seen
    await page.getByLabel('Por', { exact: true }).selectOption('month')
    await settled(seen)
    await page.getByText('Ver como tabla').click()
    const rows = await page.locator('.as-table tbody tr').allTextContents()
    const { buckets } = await ask<{ buckets: unknown[] }>(
      '/v1/farmacias/business-events/summary?days=180&interval=month&time_zone=Europe/Madrid',
    )
    expect(rows.length).toBe(buckets.length)
  })

  it('dates of my calendar, both included', async () => {
    await go('/overview?window=custom&from=2026-03-01&to=2026-03-31')
    const asked = decodeURIComponent(
      seen.asked.findLast((path) => path.includes('interval=')) ?? '',
    )
    expect(asked).toContain('from=2026-02-28T23:00:00.000Z')
    expect(asked).toContain('to=2026-03-31T22:00:00.000Z')
    await seen.page.getByLabel('7 días').check()
    await seen.page.waitForURL(/window=7d/)
    expect(seen.page.url()).not.toContain('from=')
  })

  it('the place after a move', async () => {
    await go('/relocations?window=all')
    const [some] = (await relocations('days=400')).filter((item) => item.new.province === 'Navarra')
    const city = some?.new.city ?? ''
    await seen.page.getByRole('group', { name: 'Nuevo lugar' }).getByLabel('Municipio').fill(city)
    await seen.page.keyboard.press('Enter')
    await seen.page.waitForURL(/new_city=/)
    await settled(seen)
    const expected = await relocations(`days=400&new_city=${encodeURIComponent(city)}`)
    expect(await rowNames()).toEqual(expected.map(({ name }) => name))
    await seen.page.getByRole('button', { name: 'Quitar filtros' }).click()
    await settled(seen)
    expect((await rowNames()).length).toBeGreaterThan(expected.length)
  })

  it('a municipality and a radius, without a mouse on the map', async () => {
    await go('/relocations?window=all')
    await seen.page.getByLabel('Radio (km)').fill('30')
    await seen.page.keyboard.press('Enter')
    await seen.page.getByLabel('Buscar municipio').fill('pamplo')
    await seen.page.getByRole('button', { name: /Pamplona/ }).click()
    await seen.page.waitForURL(/near_new=/)
    await settled(seen)
    const asked = new URLSearchParams(
      seen.asked.findLast((path) => path.includes('near_new'))?.split('?')[1],
    )
    expect(Number(asked.get('radius_meters'))).toBe(30_000)
    expect(Number(asked.get('near_new_latitude'))).toBeCloseTo(42.81, 1)
    asked.delete('limit')
    const expected = await relocations(asked.toString())
    expect(expected.length).toBeGreaterThan(0)
    expect(await rowNames()).toEqual(expected.slice(0, 50).map(({ name }) => name))
    await seen.page.getByRole('button', { name: /^Quitar el punto/ }).click()
    await settled(seen)
    expect(seen.page.url()).not.toContain('near_new')
  })

  it('a radius drawn on the map', async () => {
    await go('/relocations?window=all')
    const { page } = seen
    await page.getByLabel('Radio: antes').check()
    const box = await page.locator('.map-surface').boundingBox()
    if (!box) throw new Error('no map')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y, { steps: 4 })
    expect(await page.locator('.near-circle.is-old ellipse').count()).toBe(1)
    await page.mouse.up()
    await page.waitForURL(/near_old=/)
    await settled(seen)
    const asked = new URLSearchParams(
      seen.asked.findLast((path) => path.includes('near_old'))?.split('?')[1],
    )
    expect(Number(asked.get('radius_meters'))).toBeGreaterThan(10_000)
    asked.delete('limit')
    const expected = await relocations(asked.toString())
    expect(await rowNames()).toEqual(expected.slice(0, 50).map(({ name }) => name))
  })

  it('the order of the table, and its rows', async () => {
    await go('/relocations?window=all')
    const { page } = seen
    await page.getByRole('button', { name: 'Distancia' }).click()
    await page.getByRole('button', { name: 'Distancia' }).click()
    const all = await relocations('days=400&limit=5000')
    const shortest = all
      .filter(({ distance_meters: meters }) => meters !== null)
      .sort((a, b) => (a.distance_meters ?? 0) - (b.distance_meters ?? 0))
    expect((await rowNames())[0]).toBe(shortest[0]?.name)
    expect(await page.locator('[aria-sort=ascending]').textContent()).toBe('Distancia')
    await page.getByRole('button', { name: 'Filas siguientes' }).click()
    expect(await page.locator('.pager [role=status]').textContent()).toBe(
      `Filas 51–100 de ${all.length} `,
    )
  })

  it('the selection as CSV', async () => {
    await go('/relocations?window=all&new_province=Navarra')
    const [download] = await Promise.all([
      seen.page.waitForEvent('download'),
      seen.page.getByRole('button', { name: 'Descargar CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^relocations_\d{8}\.csv$/)
    const rows = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    const expected = await relocations('days=400&new_province=Navarra&limit=5000')
    expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(
      expected.map(({ event_id }) => event_id),
    )
  })

  it('the territory of the latest lists', async () => {
    await go('/latest?window=180d')
    await seen.page.getByLabel('Territorio').selectOption('ES-MC')
    await seen.page.waitForURL(/territories=ES-MC/)
    await settled(seen)
    const { counts } = await ask<{ counts: Record<string, number> }>(
      '/v1/farmacias/incremental/latest?window=180d&territory_code=ES-MC',
    )
    expect((await figuresOf(seen, 'data-latest')).relocated).toBe(counts.relocated)
  })

  it('the exports', async () => {
    await go('/data')
    for (const format of ['CSV', 'JSON', 'GEOJSON']) {
      const [download] = await Promise.all([
        seen.page.waitForEvent('download'),
        seen.page.getByRole('button', { name: `Exportar Navarra en ${format}` }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/ES-NC/)
      const file = await readFile(await download.path(), 'utf8')
      const exported = await ask<{ count: number }>('/v1/farmacias/export/ES-NC/json')
      const count =
        format === 'CSV' ? file.trimEnd().split('\r\n').length - 1 : JSON.parse(file).count
      expect(count).toBe(exported.count)
    }
  })

  it('the load journal grows by its cursor and shows what was quarantined', async () => {
    await go('/data')
    const { page } = seen
    const quarantined = page.locator(`[data-run="${demo().quarantinedRun}"]`)
    expect(await quarantined.locator('.badge').textContent()).toBe('En cuarentena')
    expect(await quarantined.locator('.reason').first().textContent()).toContain('mass_removal')
    expect(await page.locator('.notice').textContent()).toContain('Cargas en cuarentena: 1')
    await page.getByRole('button', { name: 'Cargar más' }).click()
    await expect.poll(() => page.locator('.runs tbody tr').count()).toBe(50)
  })

  it('a pharmacy beside the page, by link, by click, closed by Escape', async () => {
    await go('/latest?window=180d')
    const { page } = seen
    const first = page.locator('.latest.is-relocated .link').first()
    const name = await first.textContent()
    await first.click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'Registro actual' }).waitFor()
    expect(await drawer.locator('h2').textContent()).toBe(name)
    const id = new URLSearchParams(page.url().split('?')[1]).get('pharmacy') ?? ''
    const [territory, externalId = ''] = id.split('/')
    const { events } = await ask<{ events: unknown[] }>(
      `/v1/farmacias/pharmacies/${territory}/${encodeURIComponent(externalId)}`,
    )
    expect(await drawer.locator('section .timeline > li').count()).toBe(events.length)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    expect(page.url()).not.toContain('pharmacy')
  })
})

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useDashboard } from './support/dashboard.ts'
import { figureOf, figuresOf, hasBrowser, settled } from './support/page.ts'
import { demo } from './support/service.ts'

interface Summary {
  total: number
  items: { key: string; count: number }[]
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)

describe.runIf(hasBrowser)('filters change what is asked and what is shown', () => {
  const dashboard = useDashboard()

  it('a territory', async () => {
    const page = await dashboard.open('/overview?window=180d')
    await page.locator('.picker summary').click()
    await page.getByRole('checkbox', { name: 'Navarra' }).check()
    await page.keyboard.press('Escape')
    await page.waitForURL(/territories=ES-NC/)
    await settled(dashboard.seen)
    const { total } = await dashboard.ask<Summary>(
      '/v1/farmacias/business-events/summary?days=180&territories=ES-NC',
    )
    expect(await figureOf(dashboard.seen, '[data-count=total]')).toBe(total)
    expect(Object.keys(await figuresOf(dashboard.seen, 'data-territory'))).toEqual(['ES-NC'])
    expect(dashboard.seen.asked.some((path) => path.includes('territories=ES-NC'))).toBe(true)
  })

  it('the territories offered are those of the key', async () => {
    const page = await dashboard.open('/overview', demo().keys.scoped)
    await page.locator('.picker summary').click()
    expect(await page.locator('.picker-list .code').allTextContents()).toEqual(['ES-MD', 'ES-NC'])
    expect(await page.locator('.key-scope').textContent()).toBe(
      'Ámbito: Comunidad de Madrid, Navarra',
    )
  })

  it('a province, from the list of the map and back', async () => {
    const page = await dashboard.open('/overview?window=180d')
    await page.locator('.by-province').getByRole('button', { name: 'Bizkaia' }).click()
    await page.waitForURL(/province=Bizkaia/)
    await settled(dashboard.seen)
    const { total } = await dashboard.ask<Summary>(
      '/v1/farmacias/business-events/summary?days=180&province=Bizkaia',
    )
    expect(await figureOf(dashboard.seen, '[data-count=total]')).toBe(total)
    await page.getByLabel('Provincia', { exact: true }).selectOption('')
    await settled(dashboard.seen)
    expect(await figureOf(dashboard.seen, '[data-count=total]')).toBeGreaterThan(total)
  })

  it('a province, by a click on the map', async () => {
    const page = await dashboard.open('/overview?window=180d')
    await page.locator('.choropleth .chart').click()
    await page.waitForURL(/province=/)
    await settled(dashboard.seen)
    const province = new URLSearchParams(page.url().split('?')[1]).get('province') ?? ''
    expect(await page.getByLabel('Provincia', { exact: true }).inputValue()).toBe(province)
    const { total } = await dashboard.ask<Summary>(
      `/v1/farmacias/business-events/summary?days=180&province=${encodeURIComponent(province)}`,
    )
    expect(await figureOf(dashboard.seen, '[data-count=total]')).toBe(total)
  })

  it('a kind of event: the map and the ranking count the others only', async () => {
    const page = await dashboard.open('/overview?window=180d')
    await page.getByRole('button', { name: /^Cambios de titular/ }).click()
    await settled(dashboard.seen)
    const types = 'opened,reopened,relocated,closed_soft,closed_hard'
    const { total } = await dashboard.ask<Summary>(
      `/v1/farmacias/business-events/summary?days=180&event_types=${types}`,
    )
    expect(sum(await figuresOf(dashboard.seen, 'data-territory'))).toBe(total)
    expect(sum(await figuresOf(dashboard.seen, 'data-province'))).toBe(total)
  })

  it('an interval, seen in the table of the columns', async () => {
    const page = await dashboard.open('/overview?window=180d')
    await page.getByLabel('Por', { exact: true }).selectOption('month')
    await settled(dashboard.seen)
    await page.getByText('Ver como tabla').click()
    const rows = await page.locator('.as-table tbody tr').allTextContents()
    const { buckets } = await dashboard.ask<{ buckets: unknown[] }>(
      '/v1/farmacias/business-events/summary?days=180&interval=month&time_zone=Europe/Madrid',
    )
    expect(rows.length).toBe(buckets.length)
  })

  it('dates of my calendar, both included', async () => {
    const page = await dashboard.open('/overview?window=custom&from=2026-03-01&to=2026-03-31')
    const asked = decodeURIComponent(
      dashboard.seen.asked.findLast((path) => path.includes('interval=')) ?? '',
    )
    expect(asked).toContain('from=2026-02-28T23:00:00.000Z')
    expect(asked).toContain('to=2026-03-31T22:00:00.000Z')
    await page.getByLabel('7 días').check()
    await page.waitForURL(/window=7d/)
    await expect.poll(() => page.url()).not.toContain('from=')
  })

  it('the territory of the latest lists', async () => {
    const page = await dashboard.open('/latest?window=180d')
    await page.getByLabel('Territorio').selectOption('ES-MC')
    await page.waitForURL(/territories=ES-MC/)
    await settled(dashboard.seen)
    const { counts } = await dashboard.ask<{ counts: Record<string, number> }>(
      '/v1/farmacias/incremental/latest?window=180d&territory_code=ES-MC',
    )
    expect((await figuresOf(dashboard.seen, 'data-latest')).relocated).toBe(counts.relocated)
  })

  it('the exports', async () => {
    const page = await dashboard.open('/data')
    for (const format of ['CSV', 'JSON', 'GEOJSON']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Exportar Navarra en ${format}` }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/ES-NC/)
      const file = await readFile(await download.path(), 'utf8')
      const exported = await dashboard.ask<{ count: number }>('/v1/farmacias/export/ES-NC/json')
      const count =
        format === 'CSV' ? file.trimEnd().split('\r\n').length - 1 : JSON.parse(file).count
      expect(count).toBe(exported.count)
    }
  })

  it('the load journal grows by its cursor and shows what was quarantined', async () => {
    const page = await dashboard.open('/data')
    const quarantined = page.locator(`[data-run="${demo().quarantinedRun}"]`)
    expect(await quarantined.locator('.badge').textContent()).toBe('En cuarentena')
    expect(await quarantined.locator('.reason').first().textContent()).toContain('mass_removal')
    expect(await page.locator('.notice').textContent()).toContain('Cargas en cuarentena: 1')
    await page.getByRole('button', { name: 'Cargar más' }).click()
    await expect.poll(() => page.locator('.runs tbody tr').count()).toBe(50)
    const { items } = await dashboard.ask<{ items: { run_id: string }[] }>(
      '/v1/farmacias/loads?limit=50',
    )
    const shown = await page
      .locator('.runs tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-run')))
    expect(shown).toEqual(items.map(({ run_id }) => run_id))
  })

  it('a pharmacy beside the page, by link, by click, closed by Escape', async () => {
    const page = await dashboard.open('/latest?window=180d')
    const first = page.locator('.latest.is-relocated .link').first()
    const name = await first.textContent()
    await first.click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: 'Registro actual' }).waitFor()
    expect(await drawer.locator('h2').textContent()).toBe(name)
    await page.waitForURL(/pharmacy=/)
    const id = new URLSearchParams(page.url().split('?')[1]).get('pharmacy') ?? ''
    const [territory, externalId = ''] = id.split('/')
    const { events } = await dashboard.ask<{ events: unknown[] }>(
      `/v1/farmacias/pharmacies/${territory}/${encodeURIComponent(externalId)}`,
    )
    expect(await drawer.locator('section .timeline > li').count()).toBe(events.length)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => page.url()).not.toContain('pharmacy')
  })
})

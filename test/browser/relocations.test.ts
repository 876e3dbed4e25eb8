import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useDashboard } from './support/dashboard.ts'
import { hasBrowser, settled } from './support/page.ts'

interface Relocation {
  event_id: string
  name: string
  distance_meters: number | null
  old: { city: string; province: string }
  new: { city: string; province: string; latitude: number | null; longitude: number | null }
}

describe.runIf(hasBrowser)('relocations are chosen by place and by radius', () => {
  const dashboard = useDashboard()
  const relocations = async (query: string) => {
    const path = `/v1/farmacias/relocations?${query}`
    return (await dashboard.ask<{ items: Relocation[] }>(path)).items
  }
  const rowNames = () => dashboard.seen.page.locator('.relocations tbody .link').allTextContents()

  it('the place after a move', async () => {
    const page = await dashboard.open('/relocations?window=all')
    const [some] = (await relocations('days=400')).filter((item) => item.new.province === 'Navarra')
    const city = some?.new.city ?? ''
    await page.getByRole('group', { name: 'Nuevo lugar' }).getByLabel('Municipio').fill(city)
    await page.keyboard.press('Enter')
    await page.waitForURL(/new_city=/)
    await settled(dashboard.seen)
    const expected = await relocations(`days=400&new_city=${encodeURIComponent(city)}`)
    expect(await rowNames()).toEqual(expected.map(({ name }) => name))
    await page.getByRole('button', { name: 'Quitar filtros' }).click()
    await settled(dashboard.seen)
    expect((await rowNames()).length).toBeGreaterThan(expected.length)
  })

  it('the place before a move', async () => {
    const page = await dashboard.open('/relocations?window=all')
    const old = page.getByRole('group', { name: 'Lugar anterior' })
    await old.getByLabel('Provincia').selectOption('Bizkaia')
    await page.waitForURL(/old_province=Bizkaia/)
    await settled(dashboard.seen)
    const expected = await relocations('days=400&old_province=Bizkaia')
    expect(expected.length).toBeGreaterThan(0)
    expect(await rowNames()).toEqual(expected.slice(0, 50).map(({ name }) => name))
  })

  it('a municipality and a radius, without a mouse on the map', async () => {
    const page = await dashboard.open('/relocations?window=all')
    await page.getByLabel('Radio (km)').fill('30')
    await page.keyboard.press('Enter')
    await page.getByLabel('Buscar municipio').fill('pamplo')
    await page.getByRole('button', { name: /Pamplona/ }).click()
    await page.waitForURL(/near_new=/)
    await settled(dashboard.seen)
    const asked = dashboard.lastAsked('near_new_latitude')
    expect(Number(asked.get('radius_meters'))).toBe(30_000)
    expect(Number(asked.get('near_new_latitude'))).toBeCloseTo(42.81, 1)
    asked.delete('limit')
    const expected = await relocations(asked.toString())
    expect(expected.length).toBeGreaterThan(0)
    expect(await rowNames()).toEqual(expected.slice(0, 50).map(({ name }) => name))
    await page.getByRole('button', { name: /^Quitar el punto/ }).click()
    // The address is told to the test a moment after the page has changed it.
    await expect.poll(() => page.url()).not.toContain('near_new')
  })

  it('a radius drawn on the map', async () => {
    const page = await dashboard.open('/relocations?window=all')
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
    await settled(dashboard.seen)
    const asked = dashboard.lastAsked('near_old_latitude')
    expect(Number(asked.get('radius_meters'))).toBeGreaterThan(10_000)
    asked.delete('limit')
    const expected = await relocations(asked.toString())
    expect(await rowNames()).toEqual(expected.slice(0, 50).map(({ name }) => name))
  })

  it('a click on the map gives the point and keeps the radius', async () => {
    const page = await dashboard.open('/relocations?window=all&radius=40000')
    await page.getByLabel('Radio: después').check()
    await page.locator('.map-surface').click()
    await page.waitForURL(/near_new=/)
    await settled(dashboard.seen)
    const asked = dashboard.lastAsked('near_new_latitude')
    expect(asked.get('radius_meters')).toBe('40000')
    expect(await page.locator('.near-circle.is-new ellipse').count()).toBe(1)
  })

  it('the order of the table, and its rows', async () => {
    const page = await dashboard.open('/relocations?window=all')
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
    const page = await dashboard.open('/relocations?window=all&new_province=Navarra')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Descargar CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^relocations_\d{8}\.csv$/)
    const rows = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    const expected = await relocations('days=400&new_province=Navarra&limit=5000')
    expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(
      expected.map(({ event_id }) => event_id),
    )
  })
})

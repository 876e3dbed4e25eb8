import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { distanceFromLook } from './support/look.ts'
import { hasBrowser, keepPicture, openBrowser, settled, visit } from './support/page.ts'
import { demo, serveDashboard, type TestService } from './support/service.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** A missing panel differs by more; another font or a shifted month by less. */
const MOST_DISTANCE = 0.06

const VIEWS = [
  { name: 'overview', at: '/overview?window=180d', title: ['Resumen', 'Overview'] },
  { name: 'relocations', at: '/relocations?window=all', title: ['Traslados', 'Relocations'] },
  { name: 'latest', at: '/latest?window=180d', title: ['Últimas novedades', 'Latest'] },
  { name: 'data', at: '/data', title: ['Estado de los datos', 'Data state'] },
] as const

describe.runIf(hasBrowser)('how the page looks and reads', () => {
  let browser: Browser
  let service: TestService
  let key: string
  beforeAll(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), serveDashboard()])
    key = demo().keys.everywhere
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  for (const { name, at, title } of VIEWS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`${name}, ${colorScheme}: as it looked before, and axe finds nothing`, async () => {
        const seen = await visit(browser, { url: service.url, key, at, colorScheme })
        await settled(seen)
        const picture = await keepPicture(seen, `${name}.${colorScheme}`)
        expect(await violations(seen.page)).toEqual([])
        expect(await distanceFromLook(browser, `${name}.${colorScheme}`, picture)).toBeLessThan(
          MOST_DISTANCE,
        )
        expect(seen.faults).toEqual([])
        await seen.close()
      })
    }

    it(`${name} on a narrow screen`, async () => {
      const viewport = { width: 360, height: 740 }
      const seen = await visit(browser, { url: service.url, key, at, viewport })
      await settled(seen)
      await keepPicture(seen, `${name}.narrow`, { fullPage: true })
      expect(await seen.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      expect(await violations(seen.page)).toEqual([])
      await seen.close()
    })

    it(`${name} in English, and back in Spanish`, async () => {
      const seen = await visit(browser, { url: service.url, key, at, locale: 'en-GB' })
      await settled(seen)
      await keepPicture(seen, `${name}.english`, { fullPage: true })
      expect(await seen.page.evaluate(() => document.documentElement.lang)).toBe('en')
      expect(await seen.page.title()).toBe(`${title[1]} · Pharmacy registry`)
      await seen.page.getByLabel('Language').selectOption('es')
      await settled(seen)
      expect(await seen.page.evaluate(() => document.documentElement.lang)).toBe('es')
      expect(await seen.page.title()).toBe(`${title[0]} · Registro de farmacias`)
      await seen.page.reload()
      await settled(seen)
      expect(await seen.page.title()).toBe(`${title[0]} · Registro de farmacias`)
      await seen.close()
    })
  }

  it('the gate and the side panel pass axe too', async () => {
    const gate = await visit(browser, { url: service.url })
    await gate.page.getByLabel('Clave de la API').waitFor()
    await keepPicture(gate, 'gate.light')
    expect(await violations(gate.page)).toEqual([])
    await gate.close()

    const { items } = await service.ask<{
      items: { territory_code: string; external_id: string }[]
    }>('/v1/farmacias/relocations?days=400&limit=1', key)
    const id = `${items[0]?.territory_code}/${items[0]?.external_id}`
    const at = `/latest?pharmacy=${encodeURIComponent(id)}`
    const seen = await visit(browser, { url: service.url, key, at })
    await seen.page.getByText('Versiones del registro').click()
    await keepPicture(seen, 'pharmacy.light')
    expect(await violations(seen.page)).toEqual([])
    await seen.close()
  })

  it('the radius and what is pointed at, on the map', async () => {
    const at = '/relocations?window=all&near_new=42.81687%2C-1.64323&radius=30000'
    const seen = await visit(browser, { url: service.url, key, at })
    await settled(seen)
    await seen.page.locator('.relocations tbody tr').first().hover()
    await seen.page.locator('.map-tip').waitFor()
    await keepPicture(seen, 'relocations.radius')
    expect(await violations(seen.page)).toEqual([])
    await seen.close()
  })

  it('the switch wins over the system, and is kept', async () => {
    const seen = await visit(browser, { url: service.url, key, colorScheme: 'light' })
    const shown = () => seen.page.evaluate(() => document.documentElement.dataset.theme)
    expect(await shown()).toBe('light')
    await seen.page.getByLabel('Aspecto').selectOption('dark')
    expect(await shown()).toBe('dark')
    await seen.page.reload()
    expect(await shown()).toBe('dark')
    await seen.page.getByLabel('Aspecto').selectOption('auto')
    expect(await shown()).toBe('light')
    await seen.close()
  })

  it('times are the user’s, in UTC on hover', async () => {
    const seen = await visit(browser, { url: service.url, key, at: '/latest?window=180d' })
    await settled(seen)
    const time = seen.page.locator('.entry time').first()
    const instant = new Date((await time.getAttribute('datetime')) ?? '')
    const format = (timeZone: string, timeStyle: 'short' | 'medium') =>
      new Intl.DateTimeFormat('es-ES', { dateStyle: 'medium', timeStyle, timeZone }).format(instant)
    expect(await time.textContent()).toBe(format('Europe/Madrid', 'short'))
    expect(await time.getAttribute('title')).toBe(`${format('UTC', 'medium')} UTC`)
    await seen.close()
  })

  it('everything is reached by keyboard', async () => {
    const seen = await visit(browser, { url: service.url, key, at: '/relocations?window=all' })
    await settled(seen)
    const { page } = seen
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/window=180d/)
    await settled(seen)

    const unreachable = await page.evaluate(() => {
      const controls = document.querySelectorAll<HTMLElement>('a, button, input, select, summary')
      return [...controls].filter((control) => control.tabIndex < 0).map((c) => c.outerHTML)
    })
    expect(unreachable).toEqual([])

    await page.locator('.map-surface').focus()
    const before = await keepPicture(seen, 'relocations.keyboard')
    await page.keyboard.press('+')
    await page.keyboard.press('ArrowLeft')
    await page.waitForTimeout(300)
    expect((await keepPicture(seen, 'relocations.keyboard')).equals(before)).toBe(false)
    await seen.close()
  })

  it('a link leads to the same state', async () => {
    const at =
      '/relocations?new_province=Navarra&radius=30000&sort=distance&territories=ES-NC&window=180d'
    const seen = await visit(browser, { url: service.url, key, at })
    await settled(seen)
    const rows = () => seen.page.locator('.relocations tbody tr').allTextContents()
    const copied = seen.page.url()
    const [, fragment = ''] = copied.split('#')
    const other = await visit(browser, { url: service.url, key, at: fragment })
    await settled(other)
    expect(await other.page.locator('.relocations tbody tr').allTextContents()).toEqual(
      await rows(),
    )
    await other.close()
    await seen.close()
  })
})

/** What axe has to say: the rule and where. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[]
        }>
      }
    }
    const { violations: found } = await axe.run()
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    )
  })
}

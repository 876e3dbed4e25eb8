import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestRegistry, type TestRegistry } from '../support/loading.ts'
import { hasBrowser, keepPicture, openBrowser, settled, visit } from './support/page.ts'
import { demo, serveDashboard, type TestService } from './support/service.ts'

const PANELS = {
  overview: [
    'Eventos del periodo',
    'Eventos en el tiempo',
    'Territorios por número de eventos',
    'Eventos por provincia',
  ],
  relocations: ['Mapa de traslados', 'Traslados'],
  latest: ['Abiertas', 'Cerradas', 'Trasladadas'],
  data: ['Territorios', 'Diario de cargas'],
} as const
const VIEWS = Object.keys(PANELS) as (keyof typeof PANELS)[]

const EMPTY = 'Sin resultados con estos filtros.'
const NO_TERRITORY = 'Todavía no hay ningún territorio cargado.'
/** What each panel of a registry without a load says; figures and the map say it by a zero. */
const WHEN_EMPTY: Record<keyof typeof PANELS, string[]> = {
  overview: ['Total0sin historia para comparar', EMPTY, NO_TERRITORY, EMPTY],
  relocations: ['0 traslados cargados, 0 con coordenadas', EMPTY],
  latest: [EMPTY, EMPTY, EMPTY],
  data: [NO_TERRITORY, 'Todavía no hay ninguna carga.'],
}

describe.runIf(hasBrowser)('every panel says what it is waiting for, missing or refused', () => {
  let browser: Browser
  let service: TestService
  let empty: TestService
  let registry: TestRegistry
  let keyOfEmpty: string
  beforeAll(async () => {
    ;[browser, service, registry] = await Promise.all([
      openBrowser(),
      serveDashboard(),
      openTestRegistry(),
    ])
    empty = await serveDashboard({ prefix: registry.db.prefix })
    keyOfEmpty = await empty.issueKey('vacía')
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all([service.close(), empty.close()])
    await registry.close()
  })

  for (const view of VIEWS) {
    it(`${view}: while the answer is on its way`, async () => {
      const key = demo().keys.everywhere
      const seen = await visit(browser, { url: service.url, at: '/latest' })
      const waiting = Promise.withResolvers<void>()
      await seen.page.route('**/v1/farmacias/**', async (route) => {
        await waiting.promise
        await route.fallback()
      })
      await seen.page.evaluate((stored) => sessionStorage.setItem('registry-key', stored), key)
      await seen.page.goto(`${service.url}/?again#/${view}`)
      await seen.page.locator('.panel').first().waitFor()
      expect(await headings(seen.page)).toEqual(PANELS[view])
      for (const panel of await seen.page.locator('.panel').all()) {
        expect(await panel.locator('.skeleton, [aria-busy=true]').count()).toBe(1)
      }
      await keepPicture(seen, `${view}.loading`)
      waiting.resolve()
      await settled(seen)
      await seen.close()
    })

    it(`${view}: when the API fails, and when it is asked again`, async () => {
      const key = demo().keys.everywhere
      const seen = await visit(browser, { url: service.url, at: '/latest', expectsRefusals: true })
      const { page } = seen
      await page.route('**/v1/farmacias/**', (route) => route.fulfill({ status: 500 }))
      await page.evaluate((stored) => sessionStorage.setItem('registry-key', stored), key)
      await page.goto(`${service.url}/?again#/${view}`)
      for (const title of PANELS[view]) {
        const problem = panelOf(page, title).locator('.problem')
        await problem.waitFor()
        expect(await problem.textContent()).toContain('Algo ha fallado')
      }
      await keepPicture(seen, `${view}.failed`)
      await page.unroute('**/v1/farmacias/**')
      for (const title of PANELS[view]) {
        const problem = panelOf(page, title).locator('.problem')
        if (await problem.isVisible()) await problem.getByRole('button').click()
        await problem.waitFor({ state: 'detached' })
      }
      await seen.close()
    })

    it(`${view}: when there is nothing`, async () => {
      const seen = await visit(browser, { url: empty.url, key: keyOfEmpty, at: `/${view}` })
      await settled(seen)
      for (const [index, title] of PANELS[view].entries()) {
        expect(await panelOf(seen.page, title).textContent()).toContain(WHEN_EMPTY[view][index])
      }
      await keepPicture(seen, `${view}.empty`)
      expect(seen.faults).toEqual([])
      await seen.close()
    })
  }

  it('filters that leave nothing say so', async () => {
    const key = demo().keys.everywhere
    const at = '/relocations?window=7d&new_city=Ninguna'
    const seen = await visit(browser, { url: service.url, key, at })
    await settled(seen)
    expect(await panelOf(seen.page, 'Traslados').textContent()).toContain(EMPTY)
    await seen.close()
  })
})

function headings(page: Page): Promise<string[]> {
  return page.locator('.panel h2').allTextContents()
}

function panelOf(page: Page, title: string) {
  return page.locator('.panel', {
    has: page.getByRole('heading', { name: title, exact: true }),
  })
}

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { docsMounts } from '../../src/http/docs-page.ts'
import { endpoints } from '../../src/http/routes.ts'
import { type Serving, serve } from '../integration/http/serving.ts'
import { openPublisher, type Publisher } from '../support/publisher.ts'
import { aListed } from '../support/register.ts'
import { hasBrowser, openBrowser } from './support/page.ts'

describe.runIf(hasBrowser)('/docs', () => {
  let browser: Browser
  let published: Publisher
  let serving: Serving
  beforeAll(async () => {
    published = await openPublisher()
    await published.load('ES-MD', [aListed('0071')])
    serving = await serve(published.registry.db, endpoints, { static: docsMounts() })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await serving.close()
    await published.close()
  })

  /** A page on which everything but this service is out of reach, and every fault is written down. */
  async function opened(path: string): Promise<{ page: Page; faults: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const faults: string[] = []
    await page.route('**', (route) => {
      const { origin, protocol } = new URL(route.request().url())
      if (origin === serving.url || protocol === 'data:' || protocol === 'blob:') {
        return route.fallback()
      }
      faults.push(`asked ${origin}`)
      return route.abort()
    })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(`${serving.url}${path}`)
    await page.waitForSelector('.opblock')
    return { page, faults }
  }

  it('shows every address, without asking any other host', async () => {
    const { page, faults } = await opened('/docs')
    const shown = await page.locator('.opblock-summary-path').allInnerTexts()
    expect(shown.map((text) => text.replaceAll(/[\u200b\s]/g, '')).sort()).toEqual(
      [...endpoints.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')), '/openapi.json'].sort(),
    )
    expect(faults).toEqual([])
    await page.close()
  })

  it('sends a request with a key and shows the answer', async () => {
    const { page, faults } = await opened('/docs')
    await page.locator('button.authorize').first().click()
    await page.locator('.auth-container input').fill(serving.key)
    await page.locator('.auth-btn-wrapper button.authorize').click()
    await page.locator('.btn-done').click()
    const operation = page.locator('.opblock', {
      has: page.locator('[data-path="/v1/farmacias/territories"]'),
    })
    await operation.locator('.opblock-summary').click()
    await operation.locator('button.execute').click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.textContent()).toContain('200')
    expect(await answer.textContent()).toContain('"territory_code": "ES-MD"')
    expect(faults).toEqual([])
    await page.close()
  })

  it('the type of a problem leads to its explanation', async () => {
    const { page, faults } = await opened('/docs#problem-territory_not_loaded')
    const term = page.locator('#problem-territory_not_loaded')
    expect(await term.textContent()).toBe('503 territory_not_loaded')
    await page.waitForFunction(() => {
      const place = document.querySelector('#problem-territory_not_loaded')?.getBoundingClientRect()
      return place !== undefined && place.top >= 0 && place.top < innerHeight
    })
    expect(faults).toEqual([])
    await page.close()
  })
})

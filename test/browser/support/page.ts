import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { ARGUMENTS } from './chromium.ts'

const ARTEFACTS = join(import.meta.dirname, '..', 'artefacts')

/** False on a machine without Chromium; the set-up has said so. */
export const hasBrowser = inject('chromium') !== null

export async function openBrowser(): Promise<Browser> {
  const executablePath = inject('chromium')
  if (executablePath === null) throw new Error('no browser')
  return chromium.launch({ executablePath, args: ARGUMENTS })
}

/** A page with everything it did written down. */
export interface Visit {
  page: Page
  /** paths asked of the API, in order */
  asked: string[]
  /** answers of the API: status and path */
  answered: { status: number; path: string }[]
  /** what must stay empty: errors, refused by the security policy, asked of another host */
  faults: string[]
  close(): Promise<void>
}

export interface VisitOptions extends BrowserContextOptions {
  url: string
  /** in the session storage before the page is opened, as after a first visit */
  key?: string
  /** handed over in the fragment, as `npm start` does it; then the view opens */
  keyInFragment?: string
  /** the view and its filters, `/overview?window=30d` */
  at?: string
  /** time passes only when the test says so */
  hasClock?: boolean
  /** refusals are expected: Chromium reports each as an error of the page */
  expectsRefusals?: boolean
}

/** Opens the dashboard as somebody in Madrid would; a request to another host is a fault and goes nowhere. */
export async function visit(
  browser: Browser,
  {
    url,
    key,
    keyInFragment,
    at = '/overview',
    hasClock = false,
    expectsRefusals = false,
    ...options
  }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    viewport: { width: 1280, height: 900 },
    ...options,
  })
  const page = await context.newPage()
  const visit: Visit = { page, asked: [], answered: [], faults: [], close: () => context.close() }
  await context.route('**', async (route) => {
    const target = new URL(route.request().url())
    if (target.origin === url || target.protocol === 'blob:') return route.fallback()
    visit.faults.push(`asked ${target.origin}`)
    return route.abort()
  })
  watch(visit, expectsRefusals)
  if (hasClock) await page.clock.install()
  if (key !== undefined) await storeKeyOnce(page, key)
  if (keyInFragment !== undefined) {
    await page.goto(`${url}/#key=${keyInFragment}`)
    await page.waitForFunction(() => sessionStorage.length > 0 || location.hash === '')
  }
  await page.goto(`${url}/#${at}`)
  return visit
}

/** Once: a reload must not bring back a key that the page has thrown away. */
async function storeKeyOnce(page: Page, key: string): Promise<void> {
  await page.addInitScript((stored) => {
    if (window.name === 'visited') return
    window.name = 'visited'
    sessionStorage.setItem('registry-key', stored)
  }, key)
}

function watch(visit: Visit, expectsRefusals: boolean): void {
  const { page } = visit
  const pathOf = (url: string) => {
    const { pathname, search } = new URL(url)
    return pathname.startsWith('/v1/') ? pathname + search : null
  }
  page.on('request', (request) => {
    const path = pathOf(request.url())
    if (path) visit.asked.push(path)
  })
  page.on('response', (response) => {
    const path = pathOf(response.url())
    if (path) visit.answered.push({ status: response.status(), path })
  })
  page.on('pageerror', (error) => visit.faults.push(`error ${error.message}`))
  page.on('console', (message) => {
    const isRefusal = /Failed to load resource/.test(message.text())
    if (message.type() !== 'error' || (isRefusal && expectsRefusals)) return
    visit.faults.push(`console ${message.text()}`)
  })
}

/** Waits until every panel has its answer and every drawing is there. */
export async function settled({ page }: Visit): Promise<void> {
  // What was just clicked is first let through: before the next frame the page still shows its former, quiet state.
  await nextFrame(page)
  await page.waitForFunction(() => {
    const busy = document.querySelector('.skeleton, [aria-busy=true]')
    const drawings = [...document.querySelectorAll('.chart, .map-surface')]
    const drawn = drawings.every((drawing) => (drawing as HTMLElement).dataset.ready === 'true')
    return document.querySelector('.panel') !== null && !busy && drawn
  })
  // One more frame, so that what was just drawn is on the screen.
  await nextFrame(page)
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

/** Keeps a picture of the page; returns what was kept. */
export async function keepPicture(
  { page }: Visit,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<Buffer> {
  await mkdir(ARTEFACTS, { recursive: true })
  return page.screenshot({
    path: join(ARTEFACTS, `${name}.png`),
    animations: 'disabled',
    ...options,
  })
}

/** The digits of a text that is on the page: `1.234` is 1234. */
export async function figureOf({ page }: Visit, selector: string): Promise<number> {
  const shown = await page.locator(selector).first().textContent()
  return Number((shown ?? '').replace(/\D/g, ''))
}

/** All figures under a selector by the attribute that names them. */
export async function figuresOf(
  { page }: Visit,
  attribute: string,
): Promise<Record<string, number>> {
  const pairs = await page
    .locator(`[${attribute}]`)
    .evaluateAll(
      (elements, name) =>
        elements.map((element): [string, string] => [
          element.getAttribute(name) ?? '',
          element.textContent ?? '',
        ]),
      attribute,
    )
  return Object.fromEntries(pairs.map(([key, shown]) => [key, Number(shown.replace(/\D/g, ''))]))
}

import { availableParallelism, loadavg } from 'node:os'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeRelocations } from './support/many-relocations.ts'
import { hasBrowser, keepPicture, openBrowser, settled, visit } from './support/page.ts'
import { demo, serveDashboard, type TestService } from './support/service.ts'

const MOST_FIRST_VIEW_KB = 400
const MOST_INTERACTIVE_MS = 1500
const MOST_FRAME_MS = 100
const MANY = 10_000
/** The best of so many counts: a garbage collection elsewhere is not the page's doing. */
const ATTEMPTS = 3

describe.runIf(hasBrowser)('size and speed', () => {
  let browser: Browser
  let service: TestService
  beforeAll(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), serveDashboard()])
  })
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  it(`the first view is under ${MOST_FIRST_VIEW_KB} kB and interactive in ${MOST_INTERACTIVE_MS} ms`, async () => {
    const interactive: number[] = []
    const complete: number[] = []
    let sizes: Record<string, number> = {}
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const seen = await visit(browser, { url: service.url, key: demo().keys.everywhere })
      await settled(seen)
      // The key is in place by now; the cache is not.
      const session = await seen.page.context().newCDPSession(seen.page)
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      await seen.page.addInitScript(noteCounters)
      await seen.page.reload()
      await settled(seen)
      const { shownAt, now } = await seen.page.evaluate(() => ({
        shownAt: Number(document.documentElement.dataset.countersAt),
        now: performance.now(),
      }))
      interactive.push(shownAt)
      complete.push(now)
      sizes = await compressedSizes(seen.page)
      await seen.close()
    }
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)
    const byKind = Object.entries(sizes).map(([kind, size]) => `${kind} ${kb(size)}`)
    report(`first view: ${kb(total)} compressed (${byKind.join(', ')})`)
    report(`filters and figures after ${milliseconds(interactive)}`)
    report(`every panel drawn after ${milliseconds(complete)}`)
    expect(total / 1000).toBeLessThan(MOST_FIRST_VIEW_KB)
    expect(Math.min(...interactive)).toBeLessThan(MOST_INTERACTIVE_MS * slowdown())
  })

  it(`${MANY} relocations on the map without a frame over ${MOST_FRAME_MS} ms`, {
    timeout: 240_000,
  }, async () => {
    const { prefix, key } = await storeRelocations(MANY)
    const many = await serveDashboard({ prefix })
    const seen = await visit(browser, { url: many.url, key, at: '/relocations' })
    const { page } = seen
    await settled(seen)
    const loading = await worstFrame(page, async () => {
      await page.getByRole('button', { name: 'Cargar todos' }).click()
      await page.getByText('10.000 traslados cargados, 10.000 con coordenadas').waitFor()
      await settled(seen)
    })
    const moving: number[] = []
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      moving.push(await worstFrame(page, () => moveAround(page)))
    }
    await keepPicture(seen, 'relocations.many')
    expect(seen.faults).toEqual([])
    await seen.close()
    await many.close()
    report(`${MANY} relocations, longest frame while they come: ${milliseconds([loading])}`)
    report(`${MANY} relocations, longest frame while the map moves: ${milliseconds(moving)}`)
    expect(Math.min(...moving)).toBeLessThan(MOST_FRAME_MS * slowdown())
    expect(loading).toBeLessThan(MOST_FRAME_MS * slowdown())
  })
})

/** Runs before the page does: notes when the figures of the first view are there. */
function noteCounters(): void {
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('.filters + .counters .counter-value')) return
    document.documentElement.dataset.countersAt = String(performance.now())
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}

/** Compressed bytes of what was loaded, by kind. */
function compressedSizes(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const sizes: Record<string, number> = {}
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[]
    for (const { name, encodedBodySize } of entries) {
      const path = new URL(name).pathname
      const kind = path.startsWith('/v1/') ? 'answers' : (/\.(\w+)$/.exec(path)?.[1] ?? 'html')
      sizes[kind] = (sizes[kind] ?? 0) + encodedBodySize
    }
    return sizes
  })
}

/** Longest time between two frames while something is done. */
async function worstFrame(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const record = { worst: 0, last: Number.NaN, isOn: true }
    Object.assign(window, { record })
    const tick = (now: number) => {
      record.worst = Math.max(record.worst, now - record.last || 0)
      record.last = now
      if (record.isOn) requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
  })
  await act()
  return page.evaluate(() => {
    const { record } = window as unknown as { record: { worst: number; isOn: boolean } }
    record.isOn = false
    return record.worst
  })
}

/** Drags, wheels and points, as somebody looking for something does. */
async function moveAround(page: Page): Promise<void> {
  const box = await page.locator('.map-surface').boundingBox()
  if (!box) throw new Error('no map')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  for (let step = 0; step < 6; step++) await page.mouse.wheel(0, -120)
  await page.mouse.down()
  for (let step = 1; step <= 20; step++) await page.mouse.move(x + step * 6, y + step * 3)
  await page.mouse.up()
  for (let step = 1; step <= 20; step++) await page.mouse.move(x - step * 5, y - step * 4)
  for (let step = 0; step < 6; step++) await page.mouse.wheel(0, 120)
}

/** How many processes share a core: on a machine that is busy elsewhere everything takes so many times as long. */
function slowdown(): number {
  const perCore = (loadavg()[0] ?? 0) / availableParallelism()
  if (perCore > 1)
    report(`the machine is busy: ${perCore.toFixed(1)} processes a core, allowed for`)
  return Math.max(1, perCore)
}

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

function milliseconds(times: readonly number[]): string {
  return times.map((ms) => `${Math.round(ms)} ms`).join(', ')
}

function report(line: string): void {
  process.stdout.write(`${line}\n`)
}

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useService } from './support/dashboard.ts'
import { noteFigure } from './support/figures.ts'
import { storeRelocations } from './support/many-relocations.ts'
import { hasBrowser, keepPicture, settled, visit } from './support/page.ts'
import { demo, serveDashboard } from './support/service.ts'

const MOST_FIRST_VIEW_KB = 400
const MOST_INTERACTIVE_MS = 1500
const MOST_FRAME_MS = 100
const MANY = 10_000
/**
 * What else runs on a machine only ever adds to a time, so the least of some attempts is nearest to what the page
 * itself takes. The limits stay what they are; only the number of attempts is generous.
 */
const MOST_ATTEMPTS = 8

describe.runIf(hasBrowser)('size and speed', () => {
  const on = useService()

  it(`the first view is under ${MOST_FIRST_VIEW_KB} kB and interactive in ${MOST_INTERACTIVE_MS} ms`, async () => {
    const complete: number[] = []
    let sizes: Record<string, number> = {}
    const interactive = await attempts(MOST_INTERACTIVE_MS, async () => {
      const seen = await visit(on.browser, { url: on.service.url, key: demo().keys.everywhere })
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
      complete.push(now)
      sizes = await compressedSizes(seen.page)
      await seen.close()
      return shownAt
    })
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)
    const byKind = Object.entries(sizes).map(([kind, size]) => `${kind} ${kb(size)}`)
    await noteFigure(`first view: ${kb(total)} compressed (${byKind.join(', ')})`)
    await noteFigure(`first view: filters and figures after ${milliseconds(interactive)}`)
    await noteFigure(`first view: every panel drawn after ${milliseconds(complete)}`)
    expect(total / 1000).toBeLessThan(MOST_FIRST_VIEW_KB)
    expect(Math.min(...interactive)).toBeLessThan(MOST_INTERACTIVE_MS)
  })

  it(`${MANY} relocations on the map without a frame over ${MOST_FRAME_MS} ms`, {
    timeout: 240_000,
  }, async () => {
    const { prefix, key } = await storeRelocations(MANY)
    const many = await serveDashboard({ prefix })
    const seen = await visit(on.browser, { url: many.url, key, at: '/relocations' })
    const { page } = seen
    const loading = await attempts(MOST_FRAME_MS, async () => {
      await page.reload()
      await settled(seen)
      return worstFrame(page, async () => {
        await page.getByRole('button', { name: 'Cargar todos' }).click()
        await page.getByText('10.000 traslados cargados, 10.000 con coordenadas').waitFor()
        await settled(seen)
      })
    })
    const moving = await attempts(MOST_FRAME_MS, () => worstFrame(page, () => moveAround(page)))
    await settled(seen)
    await keepPicture(seen, 'relocations.many')
    expect(seen.faults).toEqual([])
    await seen.close()
    await many.close()
    await noteFigure(`${MANY} relocations: longest frame while they come ${milliseconds(loading)}`)
    await noteFigure(
      `${MANY} relocations: longest frame while the map moves ${milliseconds(moving)}`,
    )
    expect(Math.min(...loading)).toBeLessThan(MOST_FRAME_MS)
    expect(Math.min(...moving)).toBeLessThan(MOST_FRAME_MS)
  })
})

/** Measures at least three times, and on until the limit is held or enough was tried. */
async function attempts(limit: number, measure: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  while (found.length < MOST_ATTEMPTS && (found.length < 3 || Math.min(...found) >= limit)) {
    found.push(await measure())
  }
  return found
}

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

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

function milliseconds(times: readonly number[]): string {
  return times.map((ms) => `${Math.round(ms)} ms`).join(', ')
}

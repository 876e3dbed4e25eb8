import { describe, expect, it } from 'vitest'
import { openPublisher } from '../support/publisher.ts'
import { aListed } from '../support/register.ts'
import { useService } from './support/dashboard.ts'
import { figureOf, hasBrowser, settled, type Visit, visit } from './support/page.ts'
import { demo, serveDashboard } from './support/service.ts'

const VIEWS = ['overview', 'relocations', 'latest', 'data']
const POLLED = '/v1/farmacias/loads?limit=1'

describe.runIf(hasBrowser)('an open page', () => {
  const on = useService()

  for (const view of VIEWS) {
    it(`costs a 304 every 30 seconds while nothing happens: ${view}`, async () => {
      const key = demo().keys.everywhere
      const seen = await visitWithClock({ url: on.service.url, key, at: `/${view}` })
      for (const asked of [1, 2, 3]) {
        await halfAMinuteLater(seen)
        await expect.poll(() => seen.answered.length).toBeGreaterThanOrEqual(asked)
      }
      await seen.page.waitForLoadState('networkidle')
      const one = { status: 304, path: POLLED }
      expect(seen.answered).toEqual([one, one, one])
      await seen.close()
    })
  }

  it('asks nothing while it is not looked at', async () => {
    const key = demo().keys.everywhere
    const seen = await visitWithClock({ url: on.service.url, key, at: '/overview' })
    await seen.page.evaluate(() =>
      Object.defineProperty(document, 'hidden', { configurable: true, value: true }),
    )
    await halfAMinuteLater(seen)
    await seen.page.waitForLoadState('networkidle')
    expect(seen.answered).toEqual([])
    await seen.close()
  })

  it('shows what a load has changed, half a minute later', async () => {
    const published = await openPublisher()
    await published.load('ES-MD', [aListed('1'), aListed('2')], { observedAt: daysAgo(3) })
    const { db } = published.registry
    const mine = await serveDashboard({ prefix: db.prefix })
    const key = await mine.issueKey('prueba')
    const seen = await visitWithClock({ url: mine.url, key, at: '/overview' })
    expect(await figureOf(seen, '[data-count=total]')).toBe(0)

    await published.load('ES-MD', [aListed('1'), aListed('3'), aListed('4')], {
      observedAt: daysAgo(1),
    })
    await halfAMinuteLater(seen)
    await seen.page.locator('[data-count=total]', { hasText: '3' }).waitFor()
    expect(await figureOf(seen, '[data-count=opened]')).toBe(2)
    expect(await figureOf(seen, '[data-count=closed_hard]')).toBe(1)
    expect(seen.faults).toEqual([])
    await seen.close()
    await mine.close()
    await published.close()
  })

  /** A page whose clock is the test's, with nothing on its way. */
  async function visitWithClock(at: { url: string; key: string; at: string }): Promise<Visit> {
    const seen = await visit(on.browser, { ...at, hasClock: true })
    await settled(seen)
    await seen.page.waitForLoadState('networkidle')
    seen.answered.length = 0
    return seen
  }
})

async function halfAMinuteLater({ page }: Visit): Promise<void> {
  await page.clock.fastForward(30_000)
  await page.clock.runFor(1_000)
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

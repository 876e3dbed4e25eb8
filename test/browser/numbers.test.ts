import { describe, expect, it } from 'vitest'
import { useService } from './support/dashboard.ts'
import { figureOf, figuresOf, hasBrowser, settled, visit } from './support/page.ts'
import { demo, type TestService } from './support/service.ts'

const SUMMARY = '/v1/farmacias/business-events/summary'
const WINDOWS = ['7d', '30d', '180d', 'all'] as const
const SCOPES = ['everywhere', 'scoped'] as const

interface Summary {
  from: string
  to: string
  total: number
  items: { key: string; count: number }[]
}
interface Territories {
  items: {
    territory_code: string
    baseline_incremental_start_at: string
    last_checked_at: string
    last_changed_at: string
    active: number
    inactive: number
  }[]
}

describe.runIf(hasBrowser)('the figures of the page are those of the API', () => {
  const on = useService()

  for (const scope of SCOPES) {
    for (const window of WINDOWS) {
      it(`overview of ${window}, key ${scope}`, async () => {
        const key = demo().keys[scope]
        const seen = await visit(on.browser, {
          url: on.service.url,
          key,
          at: `/overview?window=${window}`,
        })
        await settled(seen)
        const span = await spanOf(on.service, window, key)
        const ask = (groupBy: string) =>
          on.service.ask<Summary>(`${SUMMARY}?${span}&group_by=${groupBy}`, key)
        const byType = await ask('event_type')

        expect(await figuresOf(seen, 'data-count')).toEqual({
          ...countsOf(byType),
          total: byType.total,
        })
        expect(await figuresOf(seen, 'data-territory')).toEqual(countsOf(await ask('territory')))
        expect(await figuresOf(seen, 'data-province')).toEqual(countsOf(await ask('province')))
        expect(seen.faults).toEqual([])
        await seen.close()
      })
    }
  }

  it('compares with the window of equal length before', async () => {
    const key = demo().keys.everywhere
    const seen = await visit(on.browser, { url: on.service.url, key, at: '/overview?window=60d' })
    await settled(seen)
    const compared = seen.page.locator('.counter.is-total .counter-before')
    await compared.getByText('periodo anterior').waitFor()
    const now = await on.service.ask<Summary>(`${SUMMARY}?days=60`, key)
    const from = new Date(Date.parse(now.from) - 60 * 86_400_000).toISOString()
    const before = await on.service.ask<Summary>(`${SUMMARY}?from=${from}&to=${now.from}`, key)
    const sign = now.total > before.total ? '+' : '-'
    expect(await compared.textContent()).toBe(
      `${sign}${Math.abs(now.total - before.total)} frente a ${before.total} en el periodo anterior`,
    )
    await seen.close()
  })

  for (const scope of SCOPES) {
    it(`latest and data state, key ${scope}`, async () => {
      const key = demo().keys[scope]
      const seen = await visit(on.browser, {
        url: on.service.url,
        key,
        at: '/latest?window=180d&limit=10',
      })
      await settled(seen)
      const { counts } = await on.service.ask<{ counts: Record<string, number> }>(
        '/v1/farmacias/incremental/latest?window=180d',
        key,
      )
      expect(await figuresOf(seen, 'data-latest')).toEqual({
        opened: counts.opened,
        closed: counts.closed_total,
        relocated: counts.relocated,
      })
      expect(await seen.page.locator('.entries').first().locator('.entry').count()).toBe(10)

      await seen.page.goto(`${on.service.url}/#/data`)
      await settled(seen)
      const { items } = await on.service.ask<Territories>('/v1/farmacias/territories', key)
      const byCode = (field: 'active' | 'inactive') =>
        Object.fromEntries(items.map((item) => [item.territory_code, item[field]]))
      expect(await figuresOf(seen, 'data-active')).toEqual(byCode('active'))
      expect(await figuresOf(seen, 'data-inactive')).toEqual(byCode('inactive'))
      const instants = await seen.page
        .locator('.territories tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.querySelectorAll('time')].map(({ dateTime }) => dateTime)),
        )
      expect(instants).toEqual(
        items.map((item) => [
          item.last_checked_at,
          item.last_changed_at,
          item.baseline_incremental_start_at,
        ]),
      )
      expect(seen.faults).toEqual([])
      await seen.close()
    })

    it(`relocations, key ${scope}`, async () => {
      const key = demo().keys[scope]
      const seen = await visit(on.browser, {
        url: on.service.url,
        key,
        at: '/relocations?window=180d',
      })
      await settled(seen)
      const { items } = await on.service.ask<{ items: { distance_meters: number | null }[] }>(
        '/v1/farmacias/relocations?days=180',
        key,
      )
      const located = items.filter(({ distance_meters }) => distance_meters !== null)
      expect(await seen.page.locator('.map-note').textContent()).toBe(
        `${items.length} traslados cargados, ${located.length} con coordenadas`,
      )
      expect(await figureOf(seen, '.pager [role=status]')).toBeGreaterThan(0)
      expect(await seen.page.locator('.pager [role=status]').textContent()).toContain(
        `de ${items.length}`,
      )
      await seen.close()
    })
  }
})

/** What the page asks: days, or from the earliest baseline of the scope. */
async function spanOf(service: TestService, window: string, key: string): Promise<string> {
  if (window !== 'all') return `days=${window.slice(0, -1)}`
  const { items } = await service.ask<Territories>('/v1/farmacias/territories', key)
  return `from=${items.map((item) => item.baseline_incremental_start_at).sort()[0]}`
}

function countsOf({ items }: Summary): Record<string, number> {
  return Object.fromEntries(items.map(({ key, count }) => [key, count]))
}

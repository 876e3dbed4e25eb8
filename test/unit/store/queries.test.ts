import { describe, expect, it } from 'vitest'
import { changePageQuery, wholeChangePageQuery } from '../../../src/store/change-queries.ts'
import {
  type EventCriteria,
  eventPageQuery,
  pharmacyEventsQuery,
} from '../../../src/store/event-queries.ts'
import {
  incrementalCountsQuery,
  incrementalListQuery,
} from '../../../src/store/incremental-queries.ts'
import {
  datasetPageQuery,
  pharmacyVersionsQuery,
  searchPageQuery,
} from '../../../src/store/pharmacy-queries.ts'
import type { Pin } from '../../../src/store/state.ts'
import { bucketCountsQuery, groupCountsQuery } from '../../../src/store/summary-queries.ts'

/** The bodies as reviewers read them: test/golden/queries/<builder>.<case>.json. */

const PIN: Pin = { run: 40, abandoned: [7, 12, 41] }
const CLEAN: Pin = { run: 40, abandoned: [] }
const WINDOW = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }
const EVERYTHING: EventCriteria = { window: WINDOW, territories: 'all' }

async function expectGolden(name: string, body: unknown): Promise<void> {
  await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot(
    `../../golden/queries/${name}.json`,
  )
}

describe('eventPageQuery', () => {
  it.each<[string, EventCriteria]>([
    ['everything', EVERYTHING],
    ['scope', { ...EVERYTHING, territories: ['ES-MD', 'ES-CT'] }],
    ['empty-scope', { ...EVERYTHING, territories: [] }],
    ['event-types', { ...EVERYTHING, eventTypes: ['opened', 'closed_hard'] }],
    ['province', { ...EVERYTHING, place: { province: 'Alacant' } }],
    ['city-and-province', { ...EVERYTHING, place: { province: 'La Coruña', city: 'Ferrol' } }],
    [
      'relocation-sides',
      {
        ...EVERYTHING,
        eventTypes: ['relocated'],
        oldPlace: { province: 'Vizcaya', city: 'Getxo' },
        newPlace: { city: 'Donostia / San Sebastián' },
      },
    ],
    [
      'relocation-radius',
      {
        ...EVERYTHING,
        eventTypes: ['relocated'],
        nearOld: { latitude: 40.4168, longitude: -3.7038, radiusMeters: 1500.5 },
        nearNew: { latitude: 0, longitude: 0, radiusMeters: 1500.5 },
      },
    ],
  ])('%s', async (name, criteria) => {
    await expectGolden(`event-page.${name}`, eventPageQuery(criteria, PIN, { limit: 500 }))
  })

  it('a later page, nothing abandoned', async () => {
    const page = { limit: 2, after: [1_767_225_600_000, 1204] as const }
    await expectGolden('event-page.later-page', eventPageQuery(EVERYTHING, CLEAN, page))
  })
})

describe('pharmacyEventsQuery', () => {
  it('all lives of one id', async () => {
    const pharmacy = { territory: 'ES-MD', externalId: '0071' }
    await expectGolden('pharmacy-events.id', pharmacyEventsQuery(pharmacy, PIN, { size: 1000 }))
  })
})

describe('groupCountsQuery', () => {
  it.each(['event_type', 'territory', 'province', 'city'] as const)('%s', async (groupBy) => {
    const criteria = { events: EVERYTHING, groupBy }
    await expectGolden(`group-counts.${groupBy}`, groupCountsQuery(criteria, PIN, { size: 1000 }))
  })

  it('a later page', async () => {
    const criteria = { events: EVERYTHING, groupBy: 'city' as const }
    const page = { size: 1000, after: { group: null } }
    await expectGolden('group-counts.later-page', groupCountsQuery(criteria, PIN, page))
  })
})

describe('bucketCountsQuery', () => {
  it('weeks of Madrid, a later page', async () => {
    const criteria = { events: EVERYTHING, groupBy: 'territory' as const }
    const calendar = { interval: 'week' as const, timeZone: 'Europe/Madrid' }
    const page = { size: 5000, after: { start: 1_767_225_600_000, group: 'ES-MD' } }
    await expectGolden('bucket-counts.week', bucketCountsQuery(criteria, calendar, PIN, page))
  })
})

describe('incremental', () => {
  const criteria = { window: WINDOW, territories: ['ES-MD'], limitPerType: 50 }

  it('counts', async () => {
    await expectGolden('incremental-counts.territory', incrementalCountsQuery(criteria, PIN))
  })

  it.each(['opened', 'closed', 'relocated'] as const)('%s', async (list) => {
    await expectGolden(`incremental-list.${list}`, incrementalListQuery(criteria, PIN, list))
  })
})

describe('changePageQuery', () => {
  it('scoped, from a run and after an id', async () => {
    const criteria = { fromRun: 3, territories: ['ES-MD', 'ES-CT'], afterId: 1200 }
    await expectGolden('change-page.scoped', changePageQuery(criteria, PIN, 500))
  })

  it('by its ids, where nothing but the cursor leaves any out', async () => {
    const criteria = { fromRun: 3, territories: 'all' as const, afterId: 1200 }
    const page = { limit: 500, lastId: 1701 }
    await expectGolden('change-page.whole', wholeChangePageQuery(criteria, page))
    expect(wholeChangePageQuery(criteria, { ...page, lastId: 1700 })).toBeNull()
    expect(wholeChangePageQuery({ ...criteria, territories: ['ES-MD'] }, page)).toBeNull()
    expect(wholeChangePageQuery({ ...criteria, afterId: 0 }, page)).toBeNull()
  })
})

describe('dataset', () => {
  it('first page', async () => {
    const criteria = { territory: 'ES-MD', activeOnly: false }
    await expectGolden('dataset-page.first', datasetPageQuery(criteria, PIN, { size: 4000 }))
  })

  it('a later page of the active ones, nothing abandoned', async () => {
    const criteria = { territory: 'ES-MD', activeOnly: true }
    const page = { size: 4000, after: '0071' }
    await expectGolden('dataset-page.active-later', datasetPageQuery(criteria, CLEAN, page))
  })

  it('a page between two ids', async () => {
    const criteria = { territory: 'ES-MD', activeOnly: false }
    const page = { size: 4000, after: '0071', upTo: '5120' }
    await expectGolden('dataset-page.between', datasetPageQuery(criteria, PIN, page))
  })

  it('versions of one pharmacy', async () => {
    const pharmacy = { territory: 'ES-MD', externalId: '0071' }
    const page = { size: 1000, after: 9 }
    await expectGolden('pharmacy-versions.later', pharmacyVersionsQuery(pharmacy, PIN, page))
  })
})

describe('searchPageQuery', () => {
  const anywhere = { place: {}, activeOnly: false }

  it('words, place and state, two readings of the words', async () => {
    const criteria = {
      shown: [{ territories: ['ES-MD', 'ES-CT'], pin: PIN }],
      text: "C/ d'Or 4",
      place: { province: 'Alacant', city: 'Ferrol' },
      activeOnly: true,
    }
    await expectGolden('search-page.words', searchPageQuery(criteria, { limit: 100 }))
  })

  it('around a point, a later page, everywhere', async () => {
    const near = { latitude: 40.4168, longitude: -3.7038, radiusMeters: 1500.5 }
    const criteria = { ...anywhere, shown: [{ territories: 'all' as const, pin: CLEAN }], near }
    const page = { limit: 2, after: [12.5, 'ES-MD', '0071'] as const }
    await expectGolden('search-page.near-later', searchPageQuery(criteria, page))
  })

  it('territories each at a state of their own; none of them is nothing', async () => {
    const shown = [
      { territories: ['ES-CT'], pin: { ...CLEAN, run: 12 } },
      { territories: ['ES-MD'], pin: { ...CLEAN, run: 9 } },
    ]
    await expectGolden('search-page.as-of', searchPageQuery({ ...anywhere, shown }, { limit: 1 }))
    const nothing = { ...anywhere, shown: [], text: '-' }
    await expectGolden('search-page.nothing', searchPageQuery(nothing, { limit: 1 }))
  })
})

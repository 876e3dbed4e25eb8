import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VersionDocument } from '../../../src/store/documents.ts'
import { shownEvent } from '../../support/brute-force.ts'
import { type MadeService, serveMade } from '../../support/made-service.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const path = (territory: string, id: string) =>
  `/v1/farmacias/pharmacies/${territory}/${encodeURIComponent(id)}`

let service: MadeService

beforeAll(async () => {
  service = await serveMade(
    {
      seed: 17,
      territories: ['ES-MD', 'ES-CT'],
      records: 60,
      runs: 30,
      changesPerRun: 40,
      towns: 5,
      start: '2026-06-12T06:00:00.000Z',
    },
    NOW,
  )
})
afterAll(() => service.close())

/** What is known of a pharmacy once the given run was committed, from the changes alone. */
function known(territory: string, id: string, lastRun: number) {
  const { made } = service
  const changes = made.changes.filter(
    (change) =>
      change.territory_code === territory && change.external_id === id && change.run <= lastRun,
  )
  const versions = changes.flatMap(({ operation, payload, changed_at }, index) =>
    operation === 'upsert'
      ? [
          {
            committed_at: changed_at,
            ended_at: changes[index + 1]?.changed_at ?? null,
            record: payload,
          },
        ]
      : [],
  )
  const latest = changes.at(-1)
  const events = made.events.filter(
    (event) =>
      event.territory_code === territory && event.external_id === id && event.run <= lastRun,
  )
  return {
    territory_code: territory,
    external_id: id,
    record: latest?.operation === 'upsert' ? latest.payload : null,
    events: events.map(shownEvent),
    versions: versions.reverse(),
  }
}

function idsOf(territory: string): string[] {
  const mine = service.made.changes.filter(({ territory_code: code }) => code === territory)
  return [...new Set(mine.map(({ external_id }) => external_id))]
}

describe('200', () => {
  it('every pharmacy with all its lives, closed ones too', async () => {
    const { committed_run: run } = service.made.state
    const answers = await Promise.all(
      idsOf('ES-MD').map(async (id) => (await service.get(path('ES-MD', id))).body),
    )
    expect(answers).toEqual(idsOf('ES-MD').map((id) => known('ES-MD', id, run)))
    expect(answers.some(({ record }) => record === null)).toBe(true)
    expect(answers.some(({ versions }) => versions.length > 3)).toBe(true)
  })

  it('as_of shows what was known then', async () => {
    const runs = service.made.runs.filter(
      ({ fate, territory }) => fate === 'committed' && territory === 'ES-MD',
    )
    const then = runs[Math.floor(runs.length / 2)]
    const at = then?.observed_at as string
    const run = runs.filter(({ observed_at }) => observed_at <= at).at(-1)?.run as number
    for (const id of idsOf('ES-MD')) {
      const answer = await service.get(`${path('ES-MD', id)}?as_of=${at}`)
      const expected = known('ES-MD', id, run)
      if (expected.versions.length === 0) expect([id, answer.status]).toEqual([id, 404])
      else expect(answer.body).toEqual(expected)
    }
  })

  it('versions of abandoned and uncommitted runs were stored, and are not shown', () => {
    const isHidden = ({ from_run }: VersionDocument) =>
      service.made.runs[from_run - 1]?.fate !== 'committed'
    expect(service.made.stored.pharmacies.filter(isHidden).length).toBeGreaterThan(50)
  })
})

describe('400', () => {
  it('as_of in the future', async () => {
    const answer = await service.get(`${path('ES-MD', '00000')}?as_of=2026-07-01T00:00:00Z`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter: 'as_of' }] } })
  })
})

describe('403', () => {
  it('outside the scope, known or not', async () => {
    const key = await service.key(['ES-CT'])
    for (const id of ['00000', 'nadie']) {
      const answer = await service.get(path('ES-MD', id), { key })
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden_territory' } })
    }
  })
})

describe('404', () => {
  it('unknown inside the scope, and in a territory never loaded', async () => {
    for (const address of [path('ES-MD', 'nadie'), path('ES-ZZ', '00000')]) {
      expect(await service.get(address)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })

  it('before the baseline', async () => {
    const answer = await service.get(`${path('ES-MD', '00000')}?as_of=2026-06-01T00:00:00Z`)
    expect(answer).toMatchObject({ status: 404, body: { code: 'before_baseline' } })
  })
})

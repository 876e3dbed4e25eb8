import { describe, expect, it } from 'vitest'
import { eventsOf } from '../../../src/delta/events.ts'
import { type EventCounts, noEvents } from '../../../src/domain/run.ts'
import { type EventDocument, eventDocument } from '../../../src/store/documents.ts'
import type { Chain } from '../../../src/verify/chains.ts'
import { type CommittedRun, checkChain } from '../../../src/verify/check-chain.ts'
import { openReport } from '../../../src/verify/report.ts'
import { changeDocument, openVersion } from '../../support/made-documents.ts'
import type { MadeRun } from '../../support/made-registry.ts'
import { aPharmacy } from '../../support/pharmacy.ts'

const RUNS: MadeRun[] = [1, 2].map((run) => ({
  run,
  run_id: `es-cl-${run}`,
  territory: 'ES-CL',
  observed_at: `2024-01-0${run}T06:00:00.000Z`,
  committed_at: `2024-01-0${run}T06:01:00.000Z`,
  fate: 'committed',
}))

const BEFORE = aPharmacy()
const AFTER = aPharmacy({ owner_name: 'Luis Ficticio' })

/** A pharmacy that is first seen by run 1 and changes hands in run 2. */
function chainWith(events: EventDocument[]): Chain {
  const { territory_code, external_id } = BEFORE
  return {
    territory_code,
    external_id,
    versions: [{ ...openVersion(BEFORE, 1), to_run: 2 }, openVersion(AFTER, 2)],
    changes: RUNS.map((run, at) => changeDocument(run, at + 1, [BEFORE, AFTER][at], 'upsert')),
    events,
  }
}

/** What is wrong with the events of a chain whose runs counted these kinds of event. */
function eventFaults(events: EventDocument[], known: EventCounts): string[] {
  const runs = RUNS.map(
    ({ run, run_id, territory, observed_at }): CommittedRun => ({
      run,
      run_id,
      territory_code: territory,
      observed_at,
      baseline: run === 1,
      renormalised: false,
      events: known,
    }),
  )
  const report = openReport()
  checkChain(chainWith(events), new Map(runs.map((run) => [run.run, run])), () => false, report)
  const { invariants } = report.verdict(2, {
    pharmacies: 1,
    versions: 2,
    changes: 2,
    events: events.length,
    runs: 2,
  })
  return invariants.find(({ invariant }) => invariant === 'd')?.examples ?? []
}

const sale = eventsOf(BEFORE, AFTER).map((event) =>
  eventDocument(event, {
    seq: 1,
    run: 2,
    run_id: 'es-cl-2',
    occurred_at: '2024-01-02T06:00:00.000Z',
  }),
)

describe('the events of a pharmacy', () => {
  it('are what its states give', () => {
    expect(eventFaults(sale, noEvents())).toEqual([])
    expect(eventFaults([], noEvents())).toEqual([
      'ES-CL P1: [], expected [ownership_change in run 2]',
    ])
  })

  it('are not asked of a run from before their kind was known', () => {
    const { ownership_change: _later, ...known } = noEvents()
    expect(eventFaults([], known as EventCounts)).toEqual([])
  })
})

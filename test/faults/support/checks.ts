import type { Pharmacy } from '../../../src/domain/pharmacy.ts'
import type { VersionDocument } from '../../../src/store/documents.ts'
import { recordOf } from '../../../src/store/previous.ts'
import { scan } from '../../../src/store/scan.ts'
import { pinOf } from '../../../src/store/state.ts'
import { visibleVersions } from '../../../src/store/visible.ts'
import type { Histories } from './histories.ts'
import type { Readers } from './readers.ts'
import type { Registry } from './registry.ts'
import type { Violations } from './violations.ts'

/** After a recovery: every invariant, the very snapshots that were committed, and no trace of the dead. */
export async function checkRecovered(
  registry: Registry,
  { histories, violations, label }: { histories: Histories; violations: Violations; label: string },
): Promise<void> {
  for (const broken of await registry.broken()) violations.add(`${label}: ${broken}`)
  const state = await registry.state()
  violations.check(state.lease === null, `${label}: the lease is still held`)
  violations.check(state.unswept.length === 0, `${label}: unswept ${state.unswept}`)
  for (const [territory, { applied_observed_at }] of Object.entries(state.territories)) {
    const expected = histories.placeOfSnapshot(territory, applied_observed_at)
    const found = histories.placeOf(territory, await currentOf(registry, territory))
    violations.check(
      found !== undefined && found === expected,
      `${label}: ${territory} holds snapshot ${found}, the state says ${expected}`,
    )
  }
  const running = (await registry.runs()).filter(({ status }) => status === 'running')
  violations.check(running.length === 0, `${label}: ${running.length} entries still say running`)
}

async function currentOf(registry: Registry, territory: string): Promise<Pharmacy[]> {
  const records: Pharmacy[] = []
  const filter = [
    { term: { territory_code: territory } },
    ...visibleVersions(pinOf(await registry.state())),
  ]
  for await (const version of scan<VersionDocument>(registry.db, 'pharmacies', {
    filter,
    sort: ['_shard_doc'],
  })) {
    records.push(recordOf(version))
  }
  return records
}

/** Every total that a reader saw is that of a committed run; nothing in between was ever shown. */
export async function checkSeen(
  registry: Registry,
  { seen, violations, label }: { seen: Readers['seen']; violations: Violations; label: string },
): Promise<void> {
  const committed = (await registry.runs()).filter(({ status }) => status === 'committed')
  const events = new Set([0, ...committed.map(({ last_seq }) => last_seq ?? 0)])
  const changes = new Set([0, ...committed.map(({ last_change_id }) => last_change_id ?? 0)])
  for (const total of seen.events) {
    violations.check(events.has(total), `${label}: a reader saw ${total} events, no run has that`)
  }
  for (const last of seen.changes) {
    violations.check(changes.has(last), `${label}: a reader saw changes up to ${last}, no run ends`)
  }
}

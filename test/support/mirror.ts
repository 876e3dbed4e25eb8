import type { Change } from '../../src/domain/change.ts'
import type { Pharmacy } from '../../src/domain/pharmacy.ts'
import { byCodePoint } from './made-registry.ts'
import type { Service } from './service.ts'

/** A change as the feed gives it. */
export interface SeenChange extends Change {
  id: number
  run_id: string
  territory_code: string
  changed_at: string
}

/** A client that keeps a copy of the registry by following the changes, and nothing else. */
export interface Mirror {
  /** takes over what an export shows, to go on from there */
  bootstrap(territory: string): Promise<void>
  /** follows the feed to its end; returns what it brought */
  poll(): Promise<SeenChange[]>
  /** the copy of one territory, as an export lists it */
  records(territory: string): Pharmacy[]
}

/** `territories` asks for the changes of these alone. */
export function openMirror(
  service: Service,
  options: { limit: number; territories?: readonly string[] },
): Mirror {
  const records = new Map<string, Pharmacy>()
  let cursor = 0
  const path = `/v1/farmacias/changes?since=2000-01-01T00:00:00Z&limit=${options.limit}${
    options.territories ? `&territories=${options.territories.join(',')}` : ''
  }`
  const apply = ({ territory_code, external_id, operation, payload }: SeenChange) => {
    const key = `${territory_code}|${external_id}`
    if (operation === 'upsert') records.set(key, payload)
    else records.delete(key)
  }
  return {
    async bootstrap(territory) {
      const { status, body } = await service.get(`/v1/farmacias/export/${territory}/json`)
      if (status !== 200) throw new Error(`export of ${territory}: ${status}`)
      for (const record of body.items) records.set(`${territory}|${record.external_id}`, record)
      cursor = body.changes_cursor
    },
    async poll() {
      const seen: SeenChange[] = []
      for (;;) {
        const { status, body, text } = await service.get(`${path}&cursor=${cursor}`)
        if (status !== 200) throw new Error(`changes after ${cursor}: ${status} ${text}`)
        seen.push(...body.items)
        for (const change of body.items) apply(change)
        cursor = body.resume_cursor
        if (body.next_cursor === null) return seen
      }
    },
    records: (territory) =>
      [...records.values()]
        .filter((record) => record.territory_code === territory)
        .sort((a, b) => byCodePoint(a.external_id, b.external_id)),
  }
}

import type { Db } from '../../src/store/db.ts'
import type { RegistryState } from '../../src/store/state.ts'
import { readState } from '../../src/store/state-document.ts'
import { type Api, serve } from './api.ts'
import { writeEvents } from './history.ts'
import { load } from './program.ts'
import type { Setting } from './setting.ts'
import { settled } from './settled.ts'
import { firstEdition, writeTables } from './table.ts'

/** A registry with one territory of so many records, as many events, and an API that serves it. */
export interface FilledRegistry {
  db: Db
  state: RegistryState
  territory: string
  records: number
  api: Api
  close(): Promise<void>
}

export async function filledRegistry(
  setting: Setting,
  records: number,
  { events = records, args = [] as string[] } = {},
): Promise<FilledRegistry> {
  const table = await writeTables(setting, records)
  const db = await setting.emptyRegistry()
  await load(setting, db, firstEdition(table))
  if (events > 0) await writeEvents(db, events)
  await settled(db)
  const { state } = await readState(db)
  const api = await serve(setting, db, { args })
  return {
    db,
    state,
    territory: table.territory,
    records,
    api,
    async close() {
      await api.stop()
      await setting.remove(db)
    },
  }
}

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Copy, Position } from './copy.ts'
import { type Change, COLUMNS, type Pharmacy } from './pharmacy.ts'

/**
 * A copy in a SQLite file: table `pharmacies` with one row per record, and the position beside it, changed in the same
 * transactions.
 */
export function openSqliteCopy(file: string): Copy {
  const db = new DatabaseSync(file)
  db.exec(SCHEMA)
  const statements = prepare(db)

  return {
    position: () => positionOf(statements),
    async replace(territory, cursor, records) {
      db.exec('BEGIN IMMEDIATE')
      try {
        statements.clear.run(territory)
        for await (const batch of records) {
          for (const record of batch) statements.put.run(...valuesOf(record))
        }
        statements.reach.run(territory, cursor)
        // The export may come from a process that is a moment behind the one that was followed.
        statements.goBack.run(cursor)
        db.exec('COMMIT')
      } catch (cause) {
        db.exec('ROLLBACK')
        throw cause
      }
    },
    apply(changes, cursor) {
      inTransaction(db, () => {
        const reached = new Map(positionOf(statements).territories)
        for (const change of changes) applyOne(statements, change, reached)
        statements.moveOn.run(cursor)
      })
    },
    *records(territory) {
      for (const row of statements.records.iterate(territory)) yield recordOf(row)
    },
    close: () => db.close(),
  }
}

const SCHEMA = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS pharmacies (
  external_id TEXT NOT NULL,
  name TEXT, address_line TEXT, postal_code TEXT, city TEXT, province TEXT,
  territory_code TEXT NOT NULL,
  latitude REAL, longitude REAL, coordinate_source TEXT,
  owner_name TEXT, cnn_code TEXT,
  source_slug TEXT NOT NULL, official_source_name TEXT NOT NULL, official_source_url TEXT NOT NULL,
  official_last_modified_at TEXT, observed_at TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  PRIMARY KEY (territory_code, external_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mirror_territories (territory_code TEXT PRIMARY KEY, cursor INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS mirror_feed (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), cursor INTEGER NOT NULL);
`

type Statements = Record<
  'put' | 'remove' | 'clear' | 'records' | 'reach' | 'reached' | 'moveOn' | 'goBack' | 'feed',
  StatementSync
>

function prepare(db: DatabaseSync): Statements {
  const places = COLUMNS.map(() => '?').join(', ')
  return {
    put: db.prepare(`INSERT OR REPLACE INTO pharmacies (${COLUMNS.join(', ')}) VALUES (${places})`),
    remove: db.prepare('DELETE FROM pharmacies WHERE territory_code = ? AND external_id = ?'),
    clear: db.prepare('DELETE FROM pharmacies WHERE territory_code = ?'),
    records: db.prepare(
      `SELECT ${COLUMNS.join(', ')} FROM pharmacies WHERE territory_code = ? ORDER BY external_id`,
    ),
    reach: db.prepare('INSERT OR REPLACE INTO mirror_territories VALUES (?, ?)'),
    reached: db.prepare('SELECT territory_code, cursor FROM mirror_territories'),
    moveOn: db.prepare('INSERT OR REPLACE INTO mirror_feed VALUES (1, ?)'),
    goBack: db.prepare('UPDATE mirror_feed SET cursor = min(cursor, ?)'),
    feed: db.prepare('SELECT cursor FROM mirror_feed'),
  }
}

function positionOf(statements: Statements): Position {
  const feed = statements.feed.get()
  const rows = statements.reached.all()
  return {
    cursor: feed ? Number(feed.cursor) : null,
    territories: new Map(rows.map((row) => [String(row.territory_code), Number(row.cursor)])),
  }
}

function applyOne(statements: Statements, change: Change, reached: Map<string, number>): void {
  const { id, territory_code: territory, external_id, operation, payload } = change
  if (id <= (reached.get(territory) ?? 0)) return
  if (operation === 'upsert') statements.put.run(...valuesOf(payload))
  else statements.remove.run(territory, external_id)
  reached.set(territory, id)
  statements.reach.run(territory, id)
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (cause) {
    db.exec('ROLLBACK')
    throw cause
  }
}

function valuesOf(record: Pharmacy): (string | number | null)[] {
  return COLUMNS.map((column) => {
    const value = record[column]
    return typeof value === 'boolean' ? Number(value) : value
  })
}

function recordOf(row: Record<string, unknown>): Pharmacy {
  return { ...row, is_active: row.is_active === 1 } as Pharmacy
}

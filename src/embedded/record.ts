import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import Value from 'typebox/value'
import { OperatorError } from '../domain/problem.ts'

/** What DATA_DIR remembers of its Elasticsearch: a name that never changes, where the data lives, who runs it. */
const NodeRecord = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  /** Set by the first start. Later ones keep to it: elsewhere an empty registry would come up. */
  home: Type.Optional(Type.Union([Type.Literal('local'), Type.Literal('docker')])),
  folder: Type.Optional(Type.String()),
  /** `owner` is the program that started it and will stop it; `pid` the process that ends with the node */
  running: Type.Optional(
    Type.Object({ url: Type.String(), pid: Type.Integer(), owner: Type.Integer() }),
  ),
})
export type NodeRecord = Type.Static<typeof NodeRecord>

export function recordFile(dataDir: string): string {
  return join(dataDir, 'elasticsearch.json')
}

/** The record of this DATA_DIR, made on the first look. */
export function openRecord(dataDir: string): NodeRecord {
  if (!existsSync(recordFile(dataDir))) writeRecord(dataDir, { id: randomBytes(4).toString('hex') })
  return readRecord(dataDir)
}

export function readRecord(dataDir: string): NodeRecord {
  const file = recordFile(dataDir)
  const record: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (Value.Check(NodeRecord, record)) return record
  throw new OperatorError(`${file} was not written by this program; move it away to start afresh.`)
}

/** Only its owner may read it: it can hold a password. */
export function writeRecord(dataDir: string, record: NodeRecord): void {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${recordFile(dataDir)}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, recordFile(dataDir))
}

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from '../../src/store/client.ts'

// The yardstick of a first load, as a process of its own: sends a file of ready `_bulk` lines (action, document) with
// the same client, as fast as the node takes them, and makes them visible. Arguments: url, file, pattern of indices.
const [url, file, indices] = process.argv.slice(2) as [string, string, string]
const LINES_PER_BULK = 2 * 2_000
const IN_FLIGHT = 2

const client = connect({ url, requestTimeoutMs: 300_000 })
const inFlight = new Set<Promise<void>>()

async function send(operations: string[]): Promise<void> {
  const answer = await client.bulk({ operations, filter_path: 'errors' })
  if (answer.errors) throw new Error('a document was refused')
}

async function start(operations: string[]): Promise<void> {
  while (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight)
  const sending = send(operations).finally(() => inFlight.delete(sending))
  inFlight.add(sending)
}

let lines: string[] = []
for await (const line of createInterface({ input: createReadStream(file) })) {
  lines.push(line)
  if (lines.length < LINES_PER_BULK) continue
  await start(lines)
  lines = []
}
if (lines.length > 0) await start(lines)
await Promise.all(inFlight)
await client.indices.refresh({ index: indices })
await client.close()

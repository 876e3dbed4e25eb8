import { bodyOf, type Client } from './client.ts'
import type { Pharmacy } from './pharmacy.ts'

export interface TerritoryExport {
  /** the last change the export includes */
  cursor: number
  batches: AsyncGenerator<Pharmacy[]>
}

/** A whole territory, record by record as it arrives: memory does not grow with it. */
export async function exportOf(
  client: Client,
  territory: string,
  onRead: (records: number) => void = () => undefined,
): Promise<TerritoryExport> {
  const answer = await client.GET('/v1/farmacias/export/{territory_code}/ndjson', {
    params: { path: { territory_code: territory } },
    parseAs: 'stream',
  })
  const body = await bodyOf<ReadableStream<Uint8Array> | null>(Promise.resolve(answer))
  const cursor = Number(answer.response.headers.get('x-changes-cursor'))
  return { cursor, batches: recordsIn(body, onRead) }
}

/** A connection that breaks throws here: a part of an export is never taken for the whole. */
async function* recordsIn(
  body: ReadableStream<Uint8Array> | null,
  onRead: (records: number) => void,
): AsyncGenerator<Pharmacy[]> {
  const decoder = new TextDecoder()
  let rest = ''
  let read = 0
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    const records = lines.map((line) => JSON.parse(line) as Pharmacy)
    read += records.length
    onRead(read)
    if (records.length > 0) yield records
  }
  if (rest !== '') throw new Error('the export ended inside a record')
}

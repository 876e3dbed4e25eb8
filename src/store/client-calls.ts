import type { Client } from '@elastic/elasticsearch'

/** One finished call to Elasticsearch, its retries included. */
export interface StoreCall {
  /** what was asked, as the address names it: search, bulk, doc… */
  operation: string
  /** null when no answer came */
  status: number | null
  ms: number
}

/** The call carries its beginning: a WeakMap of objects this short-lived costs more than the call's own work. */
const BEGAN = Symbol('began')
type Timed = { [BEGAN]?: number }

/** Tells of every call of this client when it ends. */
export function watchCalls(client: Client, onCall: (call: StoreCall) => void): void {
  client.diagnostic.on('request', (_error, event) => {
    const call = event?.meta as Timed | undefined
    // Emitted again for every retry: the first one counts.
    if (call) call[BEGAN] ??= performance.now()
  })
  client.diagnostic.on('response', (_error, event) => {
    const began = (event?.meta as Timed | undefined)?.[BEGAN]
    if (!event || began === undefined) return
    const { method, path } = event.meta.request.params
    onCall({
      operation: operationOf(method, path),
      status: event.statusCode || null,
      ms: performance.now() - began,
    })
  })
}

/** A closed list in effect: an address names its operation after an underscore; else it is about an index itself. */
function operationOf(method: string, path: string): string {
  return /\/_([a-z_]+)/.exec(path)?.[1] ?? `${method.toLowerCase()}_index`
}

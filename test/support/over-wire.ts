import { Client } from '@elastic/elasticsearch'
import type { LoadContext, LoadRequest } from '../../src/load/context.ts'
import { loadAll } from '../../src/load/load-all.ts'
import { type Db, openDb, type Patience } from '../../src/store/db.ts'
import type { RunDocument } from '../../src/store/runs.ts'
import type { TestRegistry } from './loading.ts'
import type { Wire } from './wire.ts'

/** Gives up at the first fault. */
export const NO_PATIENCE: Patience = { attempts: 1, firstDelayMs: 1 }

/** The registry as another process reaches it, over the wire; whoever opens it closes it. */
export function openOverWire(registry: TestRegistry, wire: Wire, patience: Patience): Db {
  // The client's own repetitions only add waiting: what is cut stays cut.
  return openDb(new Client({ node: wire.url, maxRetries: 0 }), registry.db.prefix, patience)
}

/** One load over the wire, as a process of its own would do it: its run, or what it threw. */
export async function loadOverWire(
  registry: TestRegistry,
  wire: Wire,
  {
    request,
    patience,
    ...more
  }: { request: LoadRequest; patience: Patience } & Partial<LoadContext>,
): Promise<RunDocument | Error> {
  const db = openOverWire(registry, wire, patience)
  try {
    for await (const run of loadAll({ ...registry.context, ...more, db }, [request])) return run
    throw new Error('no run')
  } catch (error) {
    return error as Error
  } finally {
    await db.client.close()
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { ensureDashboard } from '../../../src/dashboard-build.ts'
import { loadDemo } from '../../../src/demo.ts'
import type { LoadContext } from '../../../src/load/context.ts'
import { loadAll } from '../../../src/load/load-all.ts'
import { loadFolders } from '../../../src/load/load-folders.ts'
import { buildLog } from '../../../src/log.ts'
import { readDefinitions } from '../../../src/sources/definitions.ts'
import { connect } from '../../../src/store/client.ts'
import { openDb } from '../../../src/store/db.ts'
import { ensureIndices } from '../../../src/store/indices.ts'
import { openKeys } from '../../../src/store/keys.ts'
import { createState } from '../../../src/store/state-document.ts'
import { findChromium } from './chromium.ts'
import { forgetFigures, notedFigures } from './figures.ts'

export interface Demo {
  prefix: string
  keys: { everywhere: string; scoped: string }
  /** a load that was quarantined */
  quarantinedRun: string
}

export const SCOPE = ['ES-MD', 'ES-NC']

declare module 'vitest' {
  export interface ProvidedContext {
    /** where the browser is; null on a machine without one */
    chromium: string | null
    demo: Demo | null
    // As test/support/elasticsearch.ts declares them; its sources do not compile beside the types of a browser.
    elasticsearch: string
    runPrefix: string
  }
}

/** Builds the dashboard and loads the demo territories once for the whole run; test/support/elasticsearch.ts goes before. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium(process.env)
  project.provide('chromium', chromium)
  if (chromium === null) {
    project.provide('demo', null)
    return async () => undefined
  }
  const { elasticsearch, runPrefix } = project.getProvidedContext()
  const dataDir = mkdtempSync(join(tmpdir(), 'pharmacy-registry-browser-'))
  await Promise.all([ensureDashboard(), forgetFigures()])
  project.provide('demo', await makeDemo({ elasticsearch, prefix: `${runPrefix}-demo`, dataDir }))
  return async () => {
    rmSync(dataDir, { recursive: true, force: true })
    process.stdout.write(`\n${await notedFigures()}`)
  }
}

async function makeDemo(at: {
  elasticsearch: string
  prefix: string
  dataDir: string
}): Promise<Demo> {
  const client = connect({ url: at.elasticsearch })
  const db = openDb(client, at.prefix)
  await ensureIndices(db, { shards: 1, replicas: 0 })
  await createState(db)
  const context: LoadContext = {
    db,
    log: buildLog({ level: process.env.LOG_LEVEL ?? 'fatal' }),
    ...loadFolders(at.dataDir, db.prefix),
    owner: 'browser test',
    now: Date.now,
    leaseWaitMs: 10_000,
  }
  const sourcesDir = await loadDemo(context, { dataDir: at.dataDir, say: () => undefined })
  const quarantinedRun = await quarantine(context, sourcesDir, at.dataDir)
  const keys = openKeys(db)
  const issue = async (name: string, territories: string[] | null) =>
    (await keys.issue({ name, territories, expires_at: null })).key
  const demo = {
    prefix: at.prefix,
    keys: { everywhere: await issue('España', null), scoped: await issue('Centro', SCOPE) },
    quarantinedRun,
  }
  await client.close()
  return demo
}

/** Half of the newest file of Madrid: too many pharmacies would vanish at once. */
async function quarantine(
  context: LoadContext,
  sourcesDir: string,
  dataDir: string,
): Promise<string> {
  const definition = (await readDefinitions(sourcesDir)).find(({ slug }) => slug === 'demo-es-md')
  if (!definition) throw new Error('the demo has no Madrid')
  const folder = join(dataDir, 'demo', 'snapshots', definition.slug)
  const newest = (await readdir(folder)).sort().at(-1)
  if (!newest) throw new Error('the demo has no snapshot of Madrid')
  const lines = (await readFile(join(folder, newest), 'latin1')).split('\n')
  const file = join(dataDir, 'half.csv')
  await writeFile(file, `${lines.slice(0, lines.length / 2).join('\n')}\n`, 'latin1')
  const observedAt = new Date().toISOString()
  for await (const run of loadAll(context, [{ definition, file, observedAt }])) {
    if (run.status === 'quarantined') return run.run_id
    throw new Error(`half a file ended ${run.status}`)
  }
  throw new Error('half a file was not loaded')
}

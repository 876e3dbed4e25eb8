import type { Endpoint } from './endpoint.ts'
import { businessEvents } from './endpoints/business-events.ts'
import { businessEventsSummary } from './endpoints/business-events-summary.ts'
import { changes } from './endpoints/changes.ts'
import { exportCsv } from './endpoints/export-csv.ts'
import { exportGeoJson } from './endpoints/export-geojson.ts'
import { exportJson } from './endpoints/export-json.ts'
import { exportNdjson } from './endpoints/export-ndjson.ts'
import { healthLive, healthReady } from './endpoints/health.ts'
import { incrementalLatest } from './endpoints/incremental-latest.ts'
import { key } from './endpoints/key.ts'
import { loads } from './endpoints/loads.ts'
import { pharmacies } from './endpoints/pharmacies.ts'
import { pharmacy } from './endpoints/pharmacy.ts'
import { relocations } from './endpoints/relocations.ts'
import { territories } from './endpoints/territories.ts'
import { territoryDigest } from './endpoints/territory-digest.ts'

/** The closed list of endpoints: the server, the documents and the contract tests all iterate it. */
export const endpoints: readonly Endpoint[] = [
  businessEvents,
  businessEventsSummary,
  relocations,
  incrementalLatest,
  changes,
  exportCsv,
  exportJson,
  exportGeoJson,
  exportNdjson,
  territories,
  territoryDigest,
  loads,
  pharmacies,
  pharmacy,
  key,
  healthLive,
  healthReady,
]

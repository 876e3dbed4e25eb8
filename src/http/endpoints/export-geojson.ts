import Type from 'typebox'
import type { ByteWriter } from '../../domain/byte-writer.ts'
import { Pharmacy } from '../../domain/pharmacy.ts'
import { isNull, literalAfter, placeOf } from '../../domain/stored-bytes.ts'
import { TerritoryCode } from '../../domain/territory.ts'
import type { Dataset, RecordJson } from '../../store/dataset.ts'
import { type ExportPlan, exportAnswer, planExport } from '../dataset-export.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  copySpan,
  DatasetPath,
  DatasetQuery,
  EnvelopeFields,
  enveloped,
  envelopeOf,
  exportHeaders,
} from '../export-parts.ts'

const NAME = 'exportGeoJson'

const Point = Type.Object(
  {
    type: Type.Literal('Point', { description: 'Always Point.' }),
    coordinates: Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: 'WGS84 longitude and latitude in degrees, in this order (RFC 7946).',
    }),
  },
  { description: 'Where the pharmacy is.' },
)

const Feature = Type.Object(
  {
    type: Type.Literal('Feature', { description: 'Always Feature.' }),
    id: Type.String({ description: 'The external_id of the pharmacy.' }),
    geometry: Type.Union([Point, Type.Null()], {
      description: 'The place; null when the record has no coordinates.',
    }),
    properties: Type.Object(Pharmacy.properties, { description: 'The pharmacy record, whole.' }),
  },
  { description: 'One pharmacy.' },
)

const Response = Type.Object({
  type: Type.Literal('FeatureCollection', { description: 'Always FeatureCollection.' }),
  territory_code: TerritoryCode,
  ...EnvelopeFields,
  features: Type.Array(Feature, { description: 'The pharmacies, by external_id.' }),
})

export const exportGeoJson: Endpoint<typeof DatasetPath, typeof DatasetQuery> = {
  name: NAME,
  path: '/v1/farmacias/export/:territory_code/geojson',
  tag: 'Exports',
  summary: 'Export a territory as GeoJSON',
  description:
    'The normalised dataset of one territory as an RFC 7946 FeatureCollection for maps, one committed state from the first byte to the last, ordered by external_id. Records without coordinates have a null geometry.',
  headers: ['Content-Disposition', 'X-Changes-Cursor'],
  pathSchema: DatasetPath,
  querySchema: DatasetQuery,
  responseSchema: Response,
  contentType: 'application/geo+json',

  async handle(call) {
    const plan = await planExport(NAME, call)
    return exportAnswer(call, plan, {
      contentType: 'application/geo+json',
      headers: exportHeaders(plan, { now: call.now, extension: 'geojson' }),
      write: (dataset) => geoJsonChunks(plan, dataset),
    })
  },
}

function geoJsonChunks(plan: ExportPlan, dataset: Dataset): AsyncGenerator<Uint8Array> {
  return enveloped(
    { type: 'FeatureCollection', territory_code: plan.territory, ...envelopeOf(plan, dataset) },
    { list: 'features', batches: dataset.batches, write: writeFeature },
  )
}

const ID = Buffer.from('{"external_id":')
const AFTER_ID = Buffer.from(',"name":')
const LATITUDE = Buffer.from('"latitude":')
const LONGITUDE = Buffer.from('"longitude":')

/** `{"external_id":…,"name":…,…,"latitude":…,"longitude":…,…}` */
function writeFeature(out: ByteWriter, record: RecordJson): void {
  const id = { ...record, start: placeOf(record, ID) + ID.length, end: placeOf(record, AFTER_ID) }
  const latitude = literalAfter(record, LATITUDE, id.end)
  const longitude = literalAfter(record, LONGITUDE, latitude.end)
  out.write('{"type":"Feature","id":')
  copySpan(out, id)
  if (isNull(latitude) || isNull(longitude)) out.write(',"geometry":null')
  else {
    out.write(',"geometry":{"type":"Point","coordinates":[')
    copySpan(out, longitude)
    out.write(',')
    copySpan(out, latitude)
    out.write(']}')
  }
  out.write(',"properties":')
  copySpan(out, record)
  out.write('}')
}

import type { Feature, FeatureCollection } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { PROVINCES } from '../../../src/domain/provinces.ts'
import { CANARY_FRAME } from './projection.ts'

type Atlas = Topology<{ provinces: GeometryCollection<{ name: string }> }>

/** The outlines of the provinces, named by their two-digit code, and the frame of the Canary Islands. */
export function boundariesOf(topology: object): FeatureCollection {
  // A JSON module is typed by its content, down to strings where TopoJSON has literals.
  const atlas = topology as Atlas
  const codes = new Set(PROVINCES.map(({ code }) => code))
  const outlines = feature(atlas, atlas.objects.provinces).features.flatMap((outline) => {
    const code = String(outline.id)
    return codes.has(code) ? [{ ...outline, properties: { name: code } }] : []
  })
  return { type: 'FeatureCollection', features: [...outlines, frame()] }
}

function frame(): Feature {
  return {
    type: 'Feature',
    properties: { name: 'frame' },
    geometry: { type: 'LineString', coordinates: CANARY_FRAME },
  }
}

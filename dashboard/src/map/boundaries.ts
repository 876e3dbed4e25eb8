import type { Feature, FeatureCollection } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { PROVINCES } from '../../../src/domain/provinces.ts'
import { CANARY_FRAME } from './projection.ts'

type Atlas = Topology<{ provinces: GeometryCollection<{ name: string }> }>

/** The outlines of the provinces, named by their two-digit code, and the frame of the Canary Islands. */
export async function loadBoundaries(): Promise<FeatureCollection> {
  const { default: atlas } = await import('es-atlas/es/provinces.json')
  const { provinces } = (atlas as unknown as Atlas).objects
  const codes = new Set(PROVINCES.map(({ code }) => code))
  const outlines = feature(atlas as unknown as Atlas, provinces).features.flatMap((outline) => {
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

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { Plugin } from 'vite'

const NAME = 'virtual:gazetteer'

type Municipalities = Topology<{ municipalities: GeometryCollection<{ name: string }> }>

/**
 * Every municipality of Spain with a point inside its bounds, for the place search: es-atlas knows their outlines,
 * 1.8 MB of them, where the page needs one point each. A line is `name|province code|latitude|longitude`.
 */
export function gazetteer(): Plugin {
  return {
    name: 'gazetteer',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null
      return `export const lines = ${JSON.stringify((await gazetteerLines()).join('\n'))}`
    },
  }
}

async function gazetteerLines(): Promise<string[]> {
  const file = createRequire(import.meta.url).resolve('es-atlas/es/municipalities.json')
  const atlas = JSON.parse(await readFile(file, 'utf8')) as Municipalities
  return feature(atlas, atlas.objects.municipalities).features.flatMap(
    ({ id, properties, geometry }) => {
      const code = String(id)
      // Beyond 52 there are only areas shared by several municipalities, and Gibraltar.
      if (!/^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/.test(code)) return []
      if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return []
      const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
      const [longitude, latitude] = middleOf(rings)
      return [`${properties.name}|${code.slice(0, 2)}|${latitude}|${longitude}`]
    },
  )
}

/** The centroid of the largest ring, so that an islet does not pull the point into the sea. */
function middleOf(rings: readonly Position[][]): [number, number] {
  const parts = rings.map(centroidOf)
  const largest = parts.reduce((a, b) => (b.area > a.area ? b : a))
  return [round(largest.x), round(largest.y)]
}

function centroidOf(ring: readonly Position[]): { x: number; y: number; area: number } {
  let [doubleArea, sumX, sumY] = [0, 0, 0]
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? []
    const [bx = 0, by = 0] = ring[i] ?? []
    const cross = ax * by - bx * ay
    doubleArea += cross
    sumX += (ax + bx) * cross
    sumY += (ay + by) * cross
  }
  const [firstX = 0, firstY = 0] = ring[0] ?? []
  if (doubleArea === 0) return { x: firstX, y: firstY, area: 0 }
  return { x: sumX / (3 * doubleArea), y: sumY / (3 * doubleArea), area: Math.abs(doubleArea) }
}

function round(degrees: number): number {
  return Math.round(degrees * 1000) / 1000
}

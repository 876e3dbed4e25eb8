import { describe, expect, it } from 'vitest'
import type { Relocation } from '../../../dashboard/src/api/shapes.ts'
import { classBreaks, classOf, stepOf } from '../../../dashboard/src/map/breaks.ts'
import { extentOf, moveAt } from '../../../dashboard/src/map/moves.ts'
import { SPAIN } from '../../../dashboard/src/map/projection.ts'
import { parseFragment, writeFragment } from '../../../dashboard/src/state/fragment.ts'
import { spanOf, windowBefore, windowParams } from '../../../dashboard/src/state/span.ts'
import { relocationsCsv } from '../../../dashboard/src/views/relocations/csv.ts'
import { edgesOf, nearOf, nearParams } from '../../../dashboard/src/views/relocations/near.ts'
import { sorted, sortOf } from '../../../dashboard/src/views/relocations/sort.ts'

const somewhere = {
  address_line: 'CALLE OLMO 1',
  postal_code: '42001',
  city: 'Soria',
  province: 'Soria',
  latitude: 41.7,
  longitude: -2.4,
}

function aMove(changes: Partial<Relocation>): Relocation {
  return {
    event_id: '1',
    occurred_at: '2026-01-02T03:04:05.000Z',
    territory_code: 'ES-CL',
    external_id: 'SO-1',
    name: 'Farmacia Olmo',
    old: somewhere,
    new: somewhere,
    distance_meters: 0,
    ...changes,
  }
}

describe('the state in the fragment', () => {
  it('is written and read back', () => {
    const route = {
      view: 'relocations',
      params: { new_city: 'L’Hospitalet & más', window: '7d' },
    } as const
    expect(parseFragment(writeFragment(route))).toEqual(route)
  })

  it('leads to the overview when it names no view', () => {
    expect(parseFragment('#/nowhere?window=7d')).toEqual({
      view: 'overview',
      params: { window: '7d' },
    })
  })
})

describe('the window', () => {
  it('is thirty days unless a known one is named', () => {
    expect([spanOf({}), spanOf({ window: '9d' }), spanOf({ window: '7d' })]).toEqual([
      { name: '30d' },
      { name: '30d' },
      { name: '7d' },
    ])
  })

  it('all begins at the baseline, and waits for it', () => {
    expect(windowParams({ name: 'all' }, null)).toBeNull()
    expect(windowParams({ name: 'all' }, '2026-01-01T00:00:00.000Z')).toEqual({
      from: '2026-01-01T00:00:00.000Z',
    })
  })

  it('is compared with one of equal length, when all of that is recorded', () => {
    const window = { from: '2026-01-11T00:00:00.000Z', to: '2026-01-21T00:00:00.000Z' }
    expect(windowBefore(window, '2026-01-01T00:00:00.000Z')).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-11T00:00:00.000Z',
    })
    expect(windowBefore(window, '2026-01-01T00:00:01.000Z')).toBeNull()
  })
})

describe('the colours of the map', () => {
  it('have about as many provinces each', () => {
    expect(classBreaks([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0])).toEqual([1, 3, 5, 7, 9])
  })

  it('are fewer when the counts are, and still span the ramp', () => {
    const breaks = classBreaks([4, 4, 9])
    expect(breaks).toEqual([4, 9])
    expect([0, 4, 8, 9].map((count) => classOf(count, breaks))).toEqual([-1, 0, 0, 1])
    expect([stepOf(0, 2), stepOf(1, 2)]).toEqual([0, 4])
  })
})

describe('the plane of the map', () => {
  it('leads back to where it came from, on the peninsula and on the Canary Islands', () => {
    const places = [
      [-3.7, 40.4],
      [-16.5, 28.3],
      [-5.6, 36],
      [-13.5, 29],
      [4.2, 39.9],
      [-2.94, 35.29],
    ]
    const back = places.map((place) => SPAIN.unproject(SPAIN.project(place)))
    back.forEach((place, i) => {
      expect(place[0]).toBeCloseTo(places[i]?.[0] ?? 0, 9)
      expect(place[1]).toBeCloseTo(places[i]?.[1] ?? 0, 9)
    })
  })

  it('finds the move under the pointer by its line, within reach', () => {
    const pixels = new Float32Array([0, 0, 100, 0, 0, 50, 100, 50])
    expect(moveAt(pixels, { x: 50, y: 46, reach: 8 })).toBe(1)
    expect(moveAt(pixels, { x: 50, y: 25, reach: 8 })).toBeNull()
  })

  it('is fitted to the moves and to the whole of the circles', () => {
    const near = nearOf({ near_new: '40,-4', radius: '111195' })
    const extent = extentOf([0, -40, ...edgesOf(near)])
    // One degree of latitude either way; on the plane a degree of longitude at 40° north is as long.
    expect(extent?.height).toBeCloseTo(2, 9)
    expect(extent?.width).toBeCloseTo(4 * Math.cos((40 * Math.PI) / 180) + 1, 9)
    expect(extentOf(edgesOf(nearOf({ radius: '900' })))).toBeNull()
  })
})

describe('the selection of relocations', () => {
  it('asks for a radius only around a point', () => {
    expect(nearParams(nearOf({ radius: '900' }))).toEqual({})
    expect(nearParams(nearOf({ near_old: '0,-3.5', radius: '900' }))).toEqual({
      near_old_latitude: '0',
      near_old_longitude: '-3.5',
      radius_meters: '900',
    })
  })

  it('sorts what is unknown last, either way', () => {
    const items = [null, 5, 20].map((distance_meters, i) =>
      aMove({ event_id: String(i), distance_meters }),
    )
    const order = (text: string) => sorted(items, sortOf(text)).map(({ event_id }) => event_id)
    expect(order('distance')).toEqual(['1', '2', '0'])
    expect(order('distance:desc')).toEqual(['2', '1', '0'])
  })

  it('becomes a CSV that a spreadsheet opens as text and numbers', () => {
    const csv = relocationsCsv([aMove({ name: '=SUM("A")', distance_meters: null })])
    const [header, row, rest] = csv.split('\r\n')
    expect(header?.slice(0, 36)).toBe('\uFEFFevent_id,occurred_at,territory_code')
    expect(row).toBe(
      '1,2026-01-02T03:04:05.000Z,ES-CL,SO-1,"\'=SUM(""A"")",CALLE OLMO 1,42001,Soria,Soria,41.7,-2.4,CALLE OLMO 1,42001,Soria,Soria,41.7,-2.4,',
    )
    expect(rest).toBe('')
  })
})

import { expect, it } from 'vitest'
import { nearFaults, nearPoints } from '../../../src/http/near-points.ts'

it('one radius serves both points, and 0 is a coordinate', () => {
  const params = {
    near_old_latitude: 0,
    near_old_longitude: 0,
    near_new_latitude: 40,
    near_new_longitude: -3,
    radius_meters: 500,
  }
  expect(nearFaults(params)).toEqual([])
  expect(nearPoints(params)).toEqual({
    old: { latitude: 0, longitude: 0, radiusMeters: 500 },
    new: { latitude: 40, longitude: -3, radiusMeters: 500 },
  })
})

it('nothing asked is no fault and no point', () => {
  expect(nearFaults({})).toEqual([])
  expect(nearPoints({})).toEqual({})
})

it('every missing part is told at once', () => {
  expect(nearFaults({ near_old_latitude: 40, near_new_longitude: -3 })).toEqual([
    {
      parameter: 'near_old_longitude',
      reason: 'is missing: near_old_latitude is only half of a point',
    },
    {
      parameter: 'near_new_latitude',
      reason: 'is missing: near_new_longitude is only half of a point',
    },
    {
      parameter: 'radius_meters',
      reason: 'is missing: near_old_latitude and near_new_longitude need a radius',
    },
  ])
})

it('a radius alone needs a point', () => {
  expect(nearFaults({ radius_meters: 5 })).toEqual([
    {
      parameter: 'radius_meters',
      reason:
        'needs a point: near_old_latitude and near_old_longitude, or near_new_latitude and near_new_longitude, are missing',
    },
  ])
})

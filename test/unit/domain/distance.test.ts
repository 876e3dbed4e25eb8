import { expect, it } from 'vitest'
import { distanceMeters } from '../../../src/domain/distance.ts'

const POLE = { latitude: 90, longitude: 0 }
const MADRID = { latitude: 40.4168, longitude: -3.7038 }

it('a quarter of the circumference lies between pole and equator', () => {
  expect(distanceMeters(POLE, { latitude: 0, longitude: 77 })).toBeCloseTo(10_007_557.18, 1)
})

it('opposite points are half a circumference apart', () => {
  expect(distanceMeters(MADRID, { latitude: -40.4168, longitude: 176.2962 })).toBeCloseTo(
    20_015_114.35,
    1,
  )
})

it('the same point is no distance away', () => {
  expect(distanceMeters(MADRID, MADRID)).toBe(0)
})

it('the date line is no wall', () => {
  const east = { latitude: 0, longitude: 179.999 }
  const west = { latitude: 0, longitude: -179.999 }
  expect(distanceMeters(east, west)).toBeCloseTo(222.39, 1)
})

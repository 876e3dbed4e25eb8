import { describe, expect, it } from 'vitest'
import { dateReader } from '../../../src/domain/date-format.ts'

const read = (format: string, text: string) => {
  const at = dateReader(format)?.(text) ?? null
  return at === null ? null : new Date(at).toISOString()
}

describe('a date', () => {
  it.each([
    ['dd/MM/yyyy', '03/12/2024', '2024-12-03T00:00:00.000Z'],
    ['dd/MM/yyyy', '3/2/2024', '2024-02-03T00:00:00.000Z'],
    ['dd/MM/yyyy', '03/12/2024 10:30', '2024-12-03T10:30:00.000Z'],
    ['dd-MM-yyyy', '31-12-2019', '2019-12-31T00:00:00.000Z'],
    ['yyyy-MM-dd', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['dd/MM/yyyy HH:mm:ss', '01/02/2024 23:59:58', '2024-02-01T23:59:58.000Z'],
    ['iso', '2024-01-02', '2024-01-02T00:00:00.000Z'],
    ['iso', '2024-01-02T03:04:05.678Z', '2024-01-02T03:04:05.678Z'],
    ['iso', '2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05.000Z'],
    ['iso', '2024-01-02 03:04', '2024-01-02T03:04:00.000Z'],
  ])('of format %s in %j is %s', (format, text, instant) => {
    expect(read(format, text)).toBe(instant)
  })

  it.each([
    ['dd/MM/yyyy', '31/02/2024'],
    ['dd/MM/yyyy', '2024-01-02'],
    ['dd/MM/yyyy', '13/13/2024'],
    ['dd/MM/yyyy', 'pronto'],
    ['yyyy-MM-dd', '2023-02-29'],
    ['iso', '2024-1-2'],
    ['dd/MM/yyyy', '01/01/2024 25:00'],
  ])('of format %s is not in %j', (format, text) => {
    expect(read(format, text)).toBeNull()
  })

  it.each(['dd/MM', 'month day year', ''])('has no format %j', (format) => {
    expect(dateReader(format)).toBeNull()
  })
})

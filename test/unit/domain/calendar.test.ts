import { describe, expect, it } from 'vitest'
import { bucketIndex, bucketStarts, type Interval } from '../../../src/domain/calendar.ts'

function starts(from: string, to: string, interval: Interval, timeZone: string, max = 1000) {
  const found = bucketStarts({ from, to }, { interval, timeZone }, max)
  return found?.map((ms) => new Date(ms).toISOString()) ?? null
}

describe('bucketStarts', () => {
  it('days of Madrid over the clock change of spring: one has 23 hours', () => {
    expect(
      starts('2026-03-28T12:00:00.000Z', '2026-03-30T12:00:00.000Z', 'day', 'Europe/Madrid'),
    ).toEqual(['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  })

  it('days of Madrid over the clock change of autumn: one has 25 hours', () => {
    expect(
      starts('2026-10-24T12:00:00.000Z', '2026-10-26T12:00:00.000Z', 'day', 'Europe/Madrid'),
    ).toEqual(['2026-10-23T22:00:00.000Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'])
  })

  it('weeks begin on Monday, the first before the window', () => {
    expect(starts('2026-01-01T00:00:00.000Z', '2026-01-13T00:00:00.000Z', 'week', 'UTC')).toEqual([
      '2025-12-29T00:00:00.000Z',
      '2026-01-05T00:00:00.000Z',
      '2026-01-12T00:00:00.000Z',
    ])
  })

  it('months, with the end of the window exclusive', () => {
    expect(starts('2025-12-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', 'month', 'UTC')).toEqual([
      '2025-12-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ])
    expect(
      starts('2026-01-31T22:59:00.000Z', '2026-01-31T23:00:00.001Z', 'month', 'Europe/Madrid'),
    ).toEqual(['2025-12-31T23:00:00.000Z', '2026-01-31T23:00:00.000Z'])
  })

  it('a day whose midnight is skipped begins right after it', () => {
    // Beirut went from 00:00 to 01:00 on 2022-03-27.
    expect(
      starts('2022-03-26T12:00:00.000Z', '2022-03-28T12:00:00.000Z', 'day', 'Asia/Beirut'),
    ).toEqual(['2022-03-25T22:00:00.000Z', '2022-03-26T22:00:00.000Z', '2022-03-27T21:00:00.000Z'])
  })

  it('a day with two midnights begins at the first', () => {
    // Havana went from 01:00 back to 00:00 on 2022-11-06.
    expect(
      starts('2022-11-06T03:00:00.000Z', '2022-11-07T06:00:00.000Z', 'day', 'America/Havana'),
    ).toEqual(['2022-11-05T04:00:00.000Z', '2022-11-06T04:00:00.000Z', '2022-11-07T05:00:00.000Z'])
  })

  it('a day that a zone skipped altogether has no bucket', () => {
    // Samoa had no 30 December 2011.
    expect(
      starts('2011-12-29T12:00:00.000Z', '2012-01-01T00:00:00.000Z', 'day', 'Pacific/Apia'),
    ).toEqual(['2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z', '2011-12-31T10:00:00.000Z'])
  })

  it('refuses more buckets than allowed, quickly', () => {
    const window = ['2026-01-01T00:00:00.000Z', '2026-01-11T00:00:00.000Z'] as const
    expect(starts(...window, 'day', 'UTC', 10)?.length).toBe(10)
    expect(starts(...window, 'day', 'UTC', 9)).toBeNull()
    expect(starts('0000-01-01T00:00:00.000Z', '9999-01-01T00:00:00.000Z', 'day', 'UTC')).toBeNull()
  })
})

describe('bucketIndex', () => {
  it('finds the bucket that holds an instant', () => {
    expect([9, 10, 19, 20, 35].map((instant) => bucketIndex([10, 20, 30], instant))).toEqual([
      0, 0, 0, 1, 2,
    ])
  })
})

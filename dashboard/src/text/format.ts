import { computed } from '@preact/signals'
import type { Interval } from '../state/span.ts'
import { language } from './language.ts'

/** The user's time zone; the buckets of the summary are asked for in it too. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Spanish omits the point of four-digit numbers by default; columns of figures read better with it. */
const NUMBERS: Intl.NumberFormatOptions = { useGrouping: 'always' }

const formats = computed(() => {
  const locale = language.value === 'es' ? 'es-ES' : 'en-GB'
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)
  return {
    number: new Intl.NumberFormat(locale, NUMBERS),
    signed: new Intl.NumberFormat(locale, { ...NUMBERS, signDisplay: 'exceptZero' }),
    percent: new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero' }),
    km: new Intl.NumberFormat(locale, { ...NUMBERS, maximumFractionDigits: 1 }),
    instant: dates({ dateStyle: 'medium', timeStyle: 'short' }),
    instantUtc: dates({ dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' }),
    date: dates({ dateStyle: 'medium' }),
    time: dates({ timeStyle: 'medium' }),
    day: dates({ day: 'numeric', month: 'short' }),
    week: dates({ day: 'numeric', month: 'short' }),
    month: dates({ month: 'short', year: '2-digit' }),
  }
})

export const formatNumber = (value: number) => formats.value.number.format(value)
export const formatSigned = (value: number) => formats.value.signed.format(value)
export const formatInstant = (instant: string) => formats.value.instant.format(new Date(instant))
export const formatUtc = (instant: string) =>
  `${formats.value.instantUtc.format(new Date(instant))} UTC`
export const formatDate = (instant: string) => formats.value.date.format(new Date(instant))
export const formatTime = (ms: number) => formats.value.time.format(new Date(ms))
export const formatBucket = (start: string, interval: Interval) =>
  formats.value[interval].format(new Date(start))

/** Metres below one kilometre, else kilometres. */
export function formatDistance(meters: number): string {
  if (meters < 1000) return `${formats.value.number.format(Math.round(meters))} m`
  return `${formats.value.km.format(meters / 1000)} km`
}

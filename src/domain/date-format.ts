/**
 * Dates as registers write them. A format is `iso`, or day, month, year and time in letters: `dd/MM/yyyy`,
 * `yyyy-MM-dd`, `dd-MM-yyyy HH:mm`. A time behind a date is understood also where the format does not name it.
 * Everything without a zone is read as UTC.
 */
export type DateReader = (text: string) => number | null

interface Parts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  ms: number
}
type Part = keyof Parts

const LETTERS: Readonly<Record<string, readonly [Part, pattern: string]>> = {
  yyyy: ['year', '(\\d{4})'],
  MM: ['month', '(\\d{1,2})'],
  M: ['month', '(\\d{1,2})'],
  dd: ['day', '(\\d{1,2})'],
  d: ['day', '(\\d{1,2})'],
  HH: ['hour', '(\\d{1,2})'],
  H: ['hour', '(\\d{1,2})'],
  mm: ['minute', '(\\d{2})'],
  ss: ['second', '(\\d{2})'],
  SSS: ['ms', '(\\d{3})'],
}
const TOKEN = /yyyy|MM|M|dd|d|HH|H|mm|ss|SSS|[A-Za-z]+|[^A-Za-z]+/g
const OPTIONAL_TIME = '(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?'
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** A reader that gives milliseconds since 1970, or null for text that is no such date; null for an unknown format. */
export function dateReader(format: string): DateReader | null {
  if (format.toLowerCase() === 'iso') return readIso
  const parts: Part[] = []
  let pattern = ''
  for (const [token] of format.matchAll(TOKEN)) {
    const letter = LETTERS[token]
    if (letter) {
      parts.push(letter[0])
      pattern += letter[1]
    } else if (/[A-Za-z]/.test(token) && token !== 'T') {
      return null
    } else {
      pattern += token.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    }
  }
  if (!(['year', 'month', 'day'] as const).every((part) => parts.includes(part))) return null
  if (!parts.includes('hour')) {
    parts.push('hour', 'minute', 'second', 'ms')
    pattern += OPTIONAL_TIME
  }
  return readerOf(new RegExp(`^${pattern}$`), parts)
}

function readerOf(pattern: RegExp, order: readonly Part[]): DateReader {
  return (text) => {
    const match = pattern.exec(text)
    if (!match) return null
    const parts: Parts = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0, ms: 0 }
    order.forEach((part, i) => {
      const digits = match[i + 1]
      if (digits !== undefined) parts[part] = part === 'ms' ? milliseconds(digits) : Number(digits)
    })
    return utc(parts)
  }
}

function readIso(text: string): number | null {
  const match = ISO.exec(text)
  if (!match) return null
  const at = utc({
    year: Number(match[1]),
    month: Number(match[2]),
    day: Number(match[3]),
    hour: Number(match[4] ?? 0),
    minute: Number(match[5] ?? 0),
    second: Number(match[6] ?? 0),
    ms: milliseconds(match[7] ?? '0'),
  })
  return at === null ? null : at - offsetMs(match[8] ?? 'Z')
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0)
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

function milliseconds(fraction: string): number {
  return Number(fraction.padEnd(3, '0').slice(0, 3))
}

/** Null for a date or time that does not exist: nothing overflows into the next month. */
function utc(parts: Parts): number | null {
  const { year, month, day, hour, minute, second, ms } = parts
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!exists || hour > 23 || minute > 59 || second > 59) return null
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + ms
}

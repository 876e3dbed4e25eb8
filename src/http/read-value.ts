import { EVENT_TYPES } from '../domain/event.ts'
import { nearest } from '../domain/nearest.ts'
import type { ParameterError } from '../domain/problem.ts'
import { isTerritoryCode } from '../domain/territory.ts'
import { parseInstant } from '../domain/time.ts'
import { MAX_CURSOR, MAX_LIST, MAX_TEXT, type ParamKind, type ParamSchema } from './params.ts'

/** What reading one value gives: the parsed value, or what is wrong with the text. */
export type Reading = { value: unknown } | { fault: Omit<ParameterError, 'parameter'> }

/**
 * Reads the text of one parameter by its kind. Texts are matched by pattern before anything is converted:
 * Number('0x10') is 16 and Number('') is 0, and neither is what a caller meant.
 */
export function readValue(text: string, schema: ParamSchema): Reading {
  if (text.trim() === '') return fault('must not be empty')
  return READERS[schema['x-kind']](text, schema)
}

type Reader = (text: string, schema: ParamSchema) => Reading

const READERS: Record<ParamKind, Reader> = {
  instant: readInstant,
  'csv-territories': (text) => readList(text, readTerritory),
  'csv-event-types': (text) => readList(text, (element) => readChoice(element, EVENT_TYPES)),
  territory: readTerritory,
  integer: readInteger,
  number: readNumber,
  boolean: readBoolean,
  text: readText,
  choice: (text, schema) => readChoice(text, schema.enum ?? []),
  cursor: readCursor,
  'time-zone': readTimeZone,
}

const INSTANT_FORM = 'must be a date, a time and the zone Z or +00:00, such as 2026-01-31T00:00:00Z'

function readInstant(text: string): Reading {
  const value = parseInstant(text)
  if (value !== null) return { value }
  if (/\s\d{2}:?\d{2}$/.test(text)) {
    return fault(`${INSTANT_FORM}; a + in a URL arrives as a space: write it as %2B`)
  }
  return fault(INSTANT_FORM)
}

function readTerritory(text: string): Reading {
  if (isTerritoryCode(text)) return { value: text }
  const upper = text.trim().toUpperCase().replace('_', '-')
  return fault(
    'must be a territory code of the form ES-XX in capitals, such as ES-MD',
    isTerritoryCode(upper) ? { suggestion: upper } : {},
  )
}

function readList(text: string, readElement: (element: string) => Reading): Reading {
  const elements = text.split(',').map((element) => element.trim())
  // As they are sent: the list that is documented is this one, whatever of it is the same.
  if (elements.length > MAX_LIST) return fault(`must have at most ${MAX_LIST} elements`)
  const values = new Set<unknown>()
  for (const [index, element] of elements.entries()) {
    const place = `element ${index + 1}`
    if (element === '') return fault(`${place} is empty: write one comma between two values`)
    const reading = readElement(element)
    if ('fault' in reading) {
      const { reason, ...more } = reading.fault
      return fault(`${place} ${reason}`, more)
    }
    values.add(reading.value)
  }
  return { value: [...values] }
}

function readInteger(text: string, schema: ParamSchema): Reading {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (!/^\d+$/.test(text)) {
    return fault(`must be a whole number from ${minimum} to ${maximum}, in plain digits`)
  }
  const value = Number(text)
  if (value > maximum) return fault(`must be at most ${maximum}`)
  if (value < minimum) return fault(`must be at least ${minimum}`)
  return { value }
}

function readNumber(text: string, schema: ParamSchema): Reading {
  const { minimum, maximum, exclusiveMinimum } = schema
  if (!/^-?\d+(\.\d+)?$/.test(text)) {
    return fault('must be a decimal number such as 40.4168, with a point and no exponent')
  }
  // -0 is the same place as 0, and must not give another cursor or cache key.
  const value = Number(text) + 0
  if (!Number.isFinite(value)) return fault('is too large a number')
  if (maximum !== undefined && value > maximum) return fault(`must be at most ${maximum}`)
  if (minimum !== undefined && value < minimum) return fault(`must be at least ${minimum}`)
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return fault(`must be greater than ${exclusiveMinimum}`)
  }
  return { value }
}

function readBoolean(text: string): Reading {
  if (text === 'true' || text === 'false') return { value: text === 'true' }
  const lower = text.trim().toLowerCase()
  return fault('must be exactly true or false', {
    allowed: ['true', 'false'],
    ...(lower === 'true' || lower === 'false' ? { suggestion: lower } : {}),
  })
}

function readText(text: string, schema: ParamSchema): Reading {
  const longest = schema.maxLength ?? MAX_TEXT
  // Characters as JSON Schema counts them, not UTF-16 units.
  if (text.length > longest && [...text].length > longest)
    return fault(`must have at most ${longest} characters`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(text)) return fault('must not contain control characters')
  return { value: text }
}

function readChoice(text: string, allowed: readonly string[]): Reading {
  if (allowed.includes(text)) return { value: text }
  const suggestion = nearest(text.trim().toLowerCase(), allowed)
  return fault(`must be one of ${allowed.join(', ')}`, {
    allowed,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
}

function readCursor(text: string): Reading {
  if (text.length <= MAX_CURSOR && /^[A-Za-z0-9_-]+$/.test(text)) return { value: text }
  return fault(
    'is not a cursor of this service, or was altered; send the same parameters plus the cursor, exactly as next_cursor gave it',
  )
}

function readTimeZone(text: string): Reading {
  // Only names: Intl also takes offsets such as +01:00, which know nothing of summer time.
  if (/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text) && isKnownZone(text)) return { value: text }
  return fault('must be the IANA name of a time zone, such as Europe/Madrid or UTC')
}

function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (cause) {
    if (cause instanceof RangeError) return false
    throw cause
  }
}

function fault(reason: string, more: Omit<ParameterError, 'parameter' | 'reason'> = {}): Reading {
  return { fault: { reason, ...more } }
}

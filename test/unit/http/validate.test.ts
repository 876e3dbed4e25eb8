import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/domain/event.ts'
import { type ParameterError, Problem } from '../../../src/domain/problem.ts'
import {
  booleanParam,
  choiceParam,
  cursorParam,
  eventTypesParam,
  externalIdPathParam,
  instantParam,
  integerParam,
  limitParam,
  numberParam,
  territoriesParam,
  territoryParam,
  territoryPathParam,
  textParam,
  timeZoneParam,
} from '../../../src/http/params.ts'
import { buildValidator, readQuery } from '../../../src/http/validate.ts'

const Path = Type.Object({ territory_code: Type.Optional(territoryPathParam()) })
const Query = Type.Object({
  from: Type.Optional(instantParam('Start.')),
  territories: Type.Optional(territoriesParam()),
  territory_code: Type.Optional(territoryParam('One.')),
  event_types: Type.Optional(eventTypesParam()),
  limit: limitParam({ default: 500, max: 5000 }),
  position: Type.Optional(integerParam({ min: 0, max: 9_007_199_254_740_991, description: 'Id.' })),
  latitude: Type.Optional(numberParam({ min: -90, max: 90, description: 'Degrees.' })),
  radius_meters: Type.Optional(numberParam({ exclusiveMin: 0, max: 20_037_508, description: 'm' })),
  active_only: booleanParam(false, 'Active.'),
  city: Type.Optional(textParam('City.', 20)),
  window: choiceParam(['7d', '15d', 'all'], { default: '7d', description: 'Window.' }),
  cursor: Type.Optional(cursorParam()),
  time_zone: Type.Optional(timeZoneParam('Zone.')),
})
const validator = buildValidator(Path, Query)
const DEFAULTS = { limit: 500, active_only: false, window: '7d' }

function read(query: string): Record<string, unknown> {
  return validator.read({ path: [], query: readQuery(query) }).query
}

function faults(query: string, of = validator): readonly ParameterError[] {
  try {
    of.read({ path: [], query: readQuery(query) })
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === 'invalid_parameter') return thrown.errors
    throw thrown
  }
  return []
}

const onlyFault = (query: string) => {
  const found = faults(query)
  expect(found).toHaveLength(1)
  return found[0] as ParameterError
}

describe('values that are accepted', () => {
  test('nothing sent gives the defaults alone', () => {
    expect(read('')).toEqual(DEFAULTS)
    expect(read('&&')).toEqual(DEFAULTS)
  })

  test('every kind is parsed to its type', () => {
    expect(
      read(
        'from=2026-01-31T00:00Z&territories=ES-MD,%20ES-CT,ES-MD&territory_code=ES-CN&event_types=opened,relocated' +
          '&limit=0010&position=9007199254740991&latitude=-3.707293&radius_meters=0.5&active_only=true' +
          '&city=Alcal%C3%A1+de%20Henares&window=all&cursor=aB_-9&time_zone=Europe/Madrid',
      ),
    ).toEqual({
      from: '2026-01-31T00:00:00.000Z',
      territories: ['ES-MD', 'ES-CT'],
      territory_code: 'ES-CN',
      event_types: ['opened', 'relocated'],
      limit: 10,
      position: 9_007_199_254_740_991,
      latitude: -3.707293,
      radius_meters: 0.5,
      active_only: true,
      city: 'Alcalá de Henares',
      window: 'all',
      cursor: 'aB_-9',
      time_zone: 'Europe/Madrid',
    })
  })

  test('a number 0 is a number, also when written -0', () => {
    expect(read('latitude=0').latitude).toBe(0)
    expect(read('latitude=-0').latitude).toBe(0)
  })

  test('raw UTF-8 bytes, which arrive as Latin-1, are the text they were', () => {
    const raw = Buffer.from('city=Alcalá').toString('latin1')
    expect(read(raw).city).toBe('Alcalá')
  })

  test('an encoded + is a zone', () => {
    expect(read('from=2026-01-31T00:00:00%2B00:00').from).toBe('2026-01-31T00:00:00.000Z')
  })

  test('path parameters are read like the others', () => {
    const { path } = validator.read({
      path: [{ name: 'territory_code', value: 'ES-MD' }],
      query: [],
    })
    expect(path).toEqual({ territory_code: 'ES-MD' })
  })
})

describe('api.md row 25: a misspelt parameter is named, with the one that was meant', () => {
  test.each([
    ['territorry', 'territories'],
    ['territory', 'territories'],
    ['event_type', 'event_types'],
    ['eventTypes', 'event_types'],
    ['Limit', 'limit'],
    ['page', 'cursor'],
    ['offset', 'cursor'],
    ['limt', 'limit'],
    ['active-only', 'active_only'],
    ['form', 'from'],
  ])('%s suggests %s', (sent, meant) => {
    const fault = onlyFault(`${sent}=1`)
    expect(fault.parameter).toBe(sent)
    expect(fault.reason).toMatch(/^is unknown; the parameters here are from, /)
    expect(fault.suggestion).toBe(meant)
  })

  test.each(['zzz', 'constructor', '__proto__', 'toString', 'x'])('%s suggests nothing', (sent) => {
    expect(onlyFault(`${sent}=1`)).not.toHaveProperty('suggestion')
  })

  test('an endpoint without parameters says so', () => {
    const none = buildValidator(Type.Object({}), Type.Object({}))
    expect(faults('page=2', none)).toEqual([
      { parameter: 'page', reason: 'is unknown: this endpoint takes no parameters here' },
    ])
  })

  test('a key used as a name is not echoed', () => {
    const key = `frk_0123456789ab_${'s'.repeat(43)}`
    expect(JSON.stringify(faults(`${key}=1&api_key=${key}`))).not.toContain('s'.repeat(43))
  })

  test('a URL full of unknown names gives a bounded answer', () => {
    const query = Array.from({ length: 3000 }, (_, index) => `a${index}=1`).join('&')
    expect(faults(query)).toHaveLength(100)
  })
})

describe('values that are refused', () => {
  test.each(['2.5', '0x10', '%207%20', '1e3', '-1', '+7', 'ten', '٣', '1_000'])(
    'limit=%s is no whole number in plain digits',
    (value) => {
      expect(onlyFault(`limit=${value}`)).toEqual({
        parameter: 'limit',
        reason: 'must be a whole number from 1 to 5000, in plain digits',
      })
    },
  )

  test('bounds of integers are stated, never clamped', () => {
    expect(onlyFault('limit=5001').reason).toBe('must be at most 5000')
    expect(onlyFault('limit=0').reason).toBe('must be at least 1')
    expect(onlyFault('position=1152921504606846976').reason).toBe(
      'must be at most 9007199254740991',
    )
    expect(onlyFault(`limit=${'9'.repeat(400)}`).reason).toBe('must be at most 5000')
  })

  test.each([
    'limit',
    'cursor',
    'city',
    'territories',
    'from',
    'active_only',
    'window',
    'latitude',
  ])('an empty %s is refused', (name) => {
    const expected = [{ parameter: name, reason: 'must not be empty' }]
    expect(faults(`${name}=`)).toEqual(expected)
    expect(faults(name)).toEqual(expected)
    expect(faults(`${name}=%20`)).toEqual(expected)
  })

  test.each(['0', '1', 'no', 'yes', 'FALSE', 'True', 'true%20'])(
    'api.md row 26: active_only=%s is neither true nor false',
    (value) => {
      const fault = onlyFault(`active_only=${value}`)
      expect(fault.reason).toBe('must be exactly true or false')
      expect(fault.allowed).toEqual(['true', 'false'])
    },
  )

  test.each([
    '2026-01-31',
    '2026-01-31T00:00',
    '2026-01-31T00:00:00',
    '2026-02-30T00:00:00Z',
    '2026-01-31T00:00:00%2B01:00',
    '2026-01-31T24:00:00Z',
    '2026-01-31t00:00:00z',
    '1769817600',
    'now',
    '2026-01-31T00:00:00.1234567890Z',
  ])('api.md row 27: from=%s is no instant', (value) => {
    expect(onlyFault(`from=${value}`)).toEqual({
      parameter: 'from',
      reason: 'must be a date, a time and the zone Z or +00:00, such as 2026-01-31T00:00:00Z',
    })
  })

  test('a + that arrived as a space gets a hint', () => {
    expect(onlyFault('from=2026-01-31T00:00:00+00:00').reason).toMatch(/write it as %2B$/)
  })

  test('lists: empty elements, malformed territories and unknown types are named by their place', () => {
    expect(onlyFault('territories=ES-MD,,ES-CT').reason).toMatch(/^element 2 is empty/)
    expect(onlyFault('territories=ES-MD,').reason).toMatch(/^element 2 is empty/)
    expect(onlyFault('territories=ES-MD,es-ct')).toEqual({
      parameter: 'territories',
      reason: 'element 2 must be a territory code of the form ES-XX in capitals, such as ES-MD',
      suggestion: 'ES-CT',
    })
    const fault = onlyFault('event_types=opened,relocate')
    expect(fault.reason).toMatch(/^element 2 must be one of opened, closed_hard, /)
    expect(fault.suggestion).toBe('relocated')
    expect(fault.allowed).toEqual(EVENT_TYPES)
  })

  test('a list may have 100 elements, not 101, whatever of it is the same', () => {
    const codes = Array.from(
      { length: 101 },
      (_, i) => `ES-${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}`,
    )
    expect(faults(`territories=${codes.slice(0, 100).join(',')}`)).toEqual([])
    const tooMany = 'must have at most 100 elements'
    expect(onlyFault(`territories=${codes.join(',')}`).reason).toBe(tooMany)
    const same = (times: number) => `event_types=${Array(times).fill('opened').join(',')}`
    expect(faults(same(100))).toEqual([])
    expect(onlyFault(same(101)).reason).toBe(tooMany)
  })

  test.each(['es-md', 'ES_MD', 'ES-M', 'ES-MDX', 'MD', '%20ES-MD'])(
    'territory_code=%s is malformed',
    (value) => {
      expect(onlyFault(`territory_code=${value}`).reason).toMatch(/^must be a territory code/)
    },
  )

  test.each(['NaN', 'Infinity', '1e3', '0x10', '40,4', '.5', '5.', '--1', '%2B1'])(
    'latitude=%s is no decimal number',
    (value) => {
      expect(onlyFault(`latitude=${value}`).reason).toMatch(/^must be a decimal number/)
    },
  )

  test('bounds of numbers, inclusive and exclusive', () => {
    expect(onlyFault('latitude=90.000001').reason).toBe('must be at most 90')
    expect(onlyFault('latitude=-90.1').reason).toBe('must be at least -90')
    expect(onlyFault('radius_meters=0').reason).toBe('must be greater than 0')
    expect(onlyFault(`radius_meters=${'9'.repeat(400)}`).reason).toBe('is too large a number')
    expect(faults('latitude=90&radius_meters=20037508')).toEqual([])
  })

  test('a repeated parameter is refused; for lists the comma is explained', () => {
    expect(faults('territories=ES-MD&territories=ES-CT&limit=1&limit=1&limit=2')).toEqual([
      {
        parameter: 'territories',
        reason: 'was sent 2 times: send it once, with a comma between the values',
      },
      { parameter: 'limit', reason: 'was sent 3 times: send it once' },
    ])
  })

  test.each(['%', '%zz', '%C3', '%ff', '%C0%AF'])('city=%s is no valid encoding', (value) => {
    expect(onlyFault(`city=${value}`)).toEqual({
      parameter: 'city',
      reason: 'is not valid percent-encoded UTF-8',
    })
  })

  test('text: control characters and excess length', () => {
    expect(onlyFault('city=a%00b').reason).toBe('must not contain control characters')
    expect(onlyFault(`city=${'a'.repeat(21)}`).reason).toBe('must have at most 20 characters')
  })

  test('a choice lists what is possible', () => {
    expect(onlyFault('window=7D')).toEqual({
      parameter: 'window',
      reason: 'must be one of 7d, 15d, all',
      allowed: ['7d', '15d', 'all'],
      suggestion: '7d',
    })
  })

  test.each(['null,', 'a=b', 'a+b', 'ñ', 'a'.repeat(1001)])('cursor=%s cannot be one', (value) => {
    expect(onlyFault(`cursor=${encodeURIComponent(value)}`).reason).toMatch(/^is not a cursor/)
  })

  test.each(['Madrid', '%2B01:00', 'Europe/Madrid%20', 'Etc/Nowhere'])(
    'time_zone=%s is no IANA name',
    (value) => {
      expect(onlyFault(`time_zone=${value}`).reason).toMatch(/^must be the IANA name/)
    },
  )

  test('all faults of a request come at once, in the order they were sent', () => {
    expect(faults('limit=x&page=2&active_only=1').map((fault) => fault.parameter)).toEqual([
      'limit',
      'page',
      'active_only',
    ])
  })

  test('a missing required parameter, an empty and an undecodable path parameter', () => {
    const strict = buildValidator(
      Type.Object({ territory_code: territoryPathParam(), external_id: externalIdPathParam() }),
      Type.Object({ since: instantParam('Since.') }),
    )
    const path = [
      { name: 'territory_code', value: '' },
      { name: 'external_id', value: null },
    ]
    expect(() => strict.read({ path, query: [] })).toThrow(
      'territory_code must not be empty. external_id is not valid percent-encoded UTF-8. since is required',
    )
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildOpenApi } from '../../../src/http/openapi.ts'
import { endpoints } from '../../../src/http/routes.ts'
import { breaks } from './breaks.ts'

/** docs/openapi.json is what callers were told; the code may only add to it (docs/versioning.md). */

type Json = Record<string, unknown>
const committed = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as Json
const generated = () => JSON.parse(JSON.stringify(buildOpenApi(endpoints))) as Json

describe('api.md row 37: within /v1 there are only additions', () => {
  test('the documents of the code break nothing that was published', () => {
    expect(breaks(committed, generated())).toEqual([])
  })

  const LISTING = 'paths./v1/farmacias/business-events.get'
  const answer = (document: Json) =>
    at(document, `${LISTING}.responses.200.content.application/json.schema`)
  const parameter = (document: Json, name: string) =>
    (at(document, LISTING).parameters as Json[]).find((one) => one.name === name) as Json

  test.each<[string, (document: Json) => void, string]>([
    ['a removed address', (d) => delete at(d, 'paths')['/v1/key'], 'GET /v1/key is gone'],
    ['a removed field', (d) => delete at(answer(d), 'properties').items, 'items is gone'],
    [
      'a retyped field',
      (d) => Object.assign(at(answer(d), 'properties.from'), { type: 'integer' }),
      'from was string, is integer',
    ],
    [
      'a field that may be absent now',
      (d) => Object.assign(answer(d), { required: ['from', 'to', 'items'] }),
      'next_cursor may be absent now',
    ],
    [
      'a field that may be null now',
      (d) =>
        Object.assign(at(answer(d), 'properties.from'), {
          type: undefined,
          anyOf: [{ type: 'string' }, { type: 'null' }],
        }),
      'from was string, is null or string',
    ],
    [
      'a new value of a closed set in an answer',
      (d) =>
        (at(answer(d), 'properties.items.items.properties.event_type').enum as string[]).push('x'),
      'event_type may be x now',
    ],
    [
      'a removed parameter',
      (d) => Object.assign(parameter(d, 'city'), { name: 'town' }),
      'parameter city is gone',
    ],
    [
      'a parameter that is required now',
      (d) => Object.assign(parameter(d, 'from'), { required: true }),
      'parameter from is required now',
    ],
    [
      'a lower maximum',
      (d) => Object.assign(parameter(d, 'limit').schema as Json, { maximum: 100 }),
      'parameter limit: maximum was 5000, is 100',
    ],
    [
      'another default',
      (d) => Object.assign(parameter(d, 'limit').schema as Json, { default: 50 }),
      'parameter limit: default was 500, is 50',
    ],
  ])('%s is told', (_, change, told) => {
    const changed = structuredClone(committed)
    change(changed)
    expect(breaks(committed, changed).join('\n')).toContain(told)
  })

  test('an addition is none: an address, a parameter, a field, a longer limit', () => {
    const changed = structuredClone(committed)
    at(changed, 'paths')['/v1/farmacias/more'] = { get: { parameters: [], responses: {} } }
    ;(at(changed, LISTING).parameters as Json[]).push({
      name: 'more',
      in: 'query',
      required: false,
      schema: { type: 'string' },
    })
    at(answer(changed), 'properties').more = { type: 'string' }
    Object.assign(parameter(changed, 'limit').schema as Json, { maximum: 9000 })
    expect(breaks(committed, changed)).toEqual([])
  })
})

function at(node: Json, path: string): Json {
  let found: Json = node
  let rest = path
  while (rest !== '') {
    // Names such as paths hold dots and slashes: the longest one that is there.
    const name = Object.keys(found).find((key) => rest === key || rest.startsWith(`${key}.`))
    if (name === undefined) throw new Error(`nothing at ${rest}`)
    found = found[name] as Json
    rest = rest.slice(name.length + 1)
  }
  return found
}

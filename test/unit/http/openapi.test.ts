import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { buildOpenApi } from '../../../src/http/openapi.ts'
import {
  booleanParam,
  choiceParam,
  instantParam,
  limitParam,
  territoriesParam,
  territoryPathParam,
} from '../../../src/http/params.ts'
import { endpoints } from '../../../src/http/routes.ts'

const Path = Type.Object({ territory_code: territoryPathParam() })
const Query = Type.Object({
  since: instantParam('Start.'),
  territories: Type.Optional(territoriesParam()),
  limit: limitParam({ default: 500, max: 5000 }),
  active_only: booleanParam(false, 'Only active ones.'),
  window: choiceParam(['7d', 'all'], { default: '7d', description: 'Window.' }),
})
const example: Endpoint<typeof Path, typeof Query> = {
  name: 'example',
  path: '/v1/example/:territory_code/csv',
  summary: 'An example',
  description: 'Of an endpoint.',
  pathSchema: Path,
  querySchema: Query,
  responseSchema: Type.Object({ count: Type.Integer({ description: 'How many.' }) }),
  contentType: 'application/json',
  handle: () => Promise.resolve({ kind: 'json', body: { count: 0 } }),
}

// biome-ignore lint/suspicious/noExplicitAny: the document is asserted piece by piece
const documentOf = (list: readonly Endpoint[]) => buildOpenApi(list) as any

describe('the OpenAPI document', () => {
  const operation = documentOf([example]).paths['/v1/example/{territory_code}/csv'].get

  test('parameters carry place, bounds, default, choices and list style', () => {
    expect(operation.parameters.slice(0, 6)).toEqual([
      {
        name: 'territory_code',
        in: 'path',
        required: true,
        description: 'Territory code of the form ES-XX.',
        schema: { type: 'string', pattern: '^ES-[A-Z]{2}$', examples: ['ES-MD'] },
      },
      {
        name: 'since',
        in: 'query',
        required: true,
        description: 'Start. ISO 8601 UTC with date, time and zone.',
        schema: { type: 'string', format: 'date-time', examples: ['2026-01-31T00:00:00Z'] },
      },
      {
        name: 'territories',
        in: 'query',
        required: false,
        description: 'Only these territories: comma-separated ES-XX codes, at most 100.',
        style: 'form',
        explode: false,
        schema: {
          type: 'array',
          items: { type: 'string', pattern: '^ES-[A-Z]{2}$' },
          minItems: 1,
          maxItems: 100,
          examples: [['ES-MD', 'ES-CT']],
        },
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Number of items on a page.',
        schema: { type: 'integer', minimum: 1, maximum: 5000, default: 500 },
      },
      {
        name: 'active_only',
        in: 'query',
        required: false,
        description: 'Only active ones.',
        schema: { type: 'boolean', default: false },
      },
      {
        name: 'window',
        in: 'query',
        required: false,
        description: 'Window.',
        schema: { type: 'string', enum: ['7d', 'all'], default: '7d' },
      },
    ])
  })

  test('every refusal has the problem shape', () => {
    const document = documentOf([example])
    expect(Object.keys(operation.responses)).toEqual([
      '200',
      '304',
      '400',
      '401',
      '403',
      '404',
      '405',
      '408',
      '414',
      '429',
      '431',
      '500',
      '503',
    ])
    expect(operation.responses['403']).toEqual({ $ref: '#/components/responses/Problem403' })
    expect(document.components.responses.Problem403.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    })
    expect(document.components.schemas.Problem.required).toEqual([
      'type',
      'title',
      'status',
      'detail',
      'code',
      'request_id',
    ])
  })

  test('the key is a header; open endpoints need none and never refuse one', () => {
    const document = documentOf([{ ...example, open: true }])
    expect(document.security).toEqual([{ ApiKey: [] }])
    expect(document.components.securitySchemes.ApiKey.in).toBe('header')
    const open = document.paths['/v1/example/{territory_code}/csv'].get
    expect(open.security).toEqual([])
    expect(open.responses).not.toHaveProperty('401')
    expect(document.paths['/openapi.json'].get.operationId).toBe('openApi')
  })

  test('keywords of our own stay inside, and every reference leads somewhere', () => {
    const document = documentOf(endpoints)
    const text = JSON.stringify(document)
    expect(text).not.toContain('x-kind')
    expect(text).not.toContain('"~')
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = reference.split('/').reduce((node, part) => node?.[part], document)
      expect(found, reference).toBeDefined()
    }
  })

  test('the same endpoints give the same bytes', () => {
    expect(JSON.stringify(buildOpenApi(endpoints))).toBe(JSON.stringify(buildOpenApi(endpoints)))
  })
})

/** Every schema object below a node that describes a property. */
function* propertiesIn(node: unknown, at: string): Generator<[string, Record<string, unknown>]> {
  if (node === null || typeof node !== 'object') return
  for (const [name, value] of Object.entries(node)) {
    // What an answer looks like, not what it means.
    if (name === 'example') continue
    if (name === 'properties' && value !== null && typeof value === 'object') {
      for (const [property, schema] of Object.entries<Record<string, unknown>>(value as never)) {
        yield [`${at}.${property}`, schema]
        // Into the schema and not into the list, where a property may itself be called `properties`.
        yield* propertiesIn(schema, `${at}.${property}`)
      }
      continue
    }
    yield* propertiesIn(value, `${at}.${name}`)
  }
}

describe('api.md row 39: meanings are documented', () => {
  test('every property and every parameter of the service has a description', () => {
    const document = documentOf(endpoints)
    const silent = [...propertiesIn(document, '')]
      .filter(([, schema]) => typeof schema.description !== 'string')
      .map(([at]) => at)
    expect(silent).toEqual([])
    for (const { get } of Object.values<{ get: { parameters: { description?: string }[] } }>(
      document.paths,
    )) {
      for (const parameter of get.parameters) expect(parameter.description).toBeTypeOf('string')
    }
  })
})

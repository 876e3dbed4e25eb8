import { createHash } from 'node:crypto'
import Type from 'typebox'
import { PROBLEM_CODES } from '../domain/problem.ts'
import { CHAPTERS, type Chapter, type Endpoint } from './endpoint.ts'
import EXAMPLES from './examples.json' with { type: 'json' }
import { EXPLAINED, type Json, RESPONSE_HEADERS } from './openapi-responses.ts'
import { PROBLEM_CONTENT_TYPE, ProblemBody, STATUS, TITLE } from './problem.ts'
import { MEANING } from './problem-meanings.ts'
import { paramsOf } from './validate.ts'

/** Version of the API as a document; grows with every addition, its major number is the /v1 of the paths. */
const API_VERSION = '1.0.0'

type OpenApi = { readonly [name: string]: Json }

/** Folds the endpoints into one OpenAPI 3.1 document. Pure: the same endpoints give the same bytes. */
export function buildOpenApi(endpoints: readonly Endpoint[]): OpenApi {
  const documented = [...endpoints, openApiEndpointShape]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pharmacy Registry Service',
      version: API_VERSION,
      description:
        'Pharmacies per territory: business events, relocations, an incremental feed, technical changes and exports. ' +
        'Windows include from and exclude to; every instant is ISO 8601 UTC. Within /v1 there are only additions.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: CHAPTERS.map((name) => ({ name, description: ABOUT[name] })),
    security: [{ ApiKey: [] }],
    paths: Object.fromEntries(
      documented.map((endpoint) => [pathTemplate(endpoint.path), { get: operationOf(endpoint) }]),
    ),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Header only: a key in the URL is refused.',
        },
      },
      schemas: { Problem: plain(ProblemBody) },
      headers: RESPONSE_HEADERS,
      responses: PROBLEM_RESPONSES,
    },
    'x-problems': PROBLEMS,
  }
}

const ABOUT: Readonly<Record<Chapter, string>> = {
  Events: 'What happened to pharmacies: found by comparing each load with the state before.',
  Changes:
    'The technical feed a copy of the registry follows, and the digest that proves it right.',
  Exports: 'Whole datasets of one territory, each one committed state from first byte to last.',
  Pharmacies: 'Records by search, and the history of one.',
  Registry: 'The territories, the journal of loads and the calling key.',
  Service: 'Probes and this document; without a key.',
}

/** `/a/:b` as OpenAPI writes it: `/a/{b}`. */
function pathTemplate(path: string): string {
  return path.replace(/:([A-Za-z_]+)/g, '{$1}')
}

function operationOf(endpoint: Endpoint): Json {
  return {
    operationId: endpoint.name,
    ...(endpoint.tag ? { tags: [endpoint.tag] } : {}),
    ...(endpoint.deprecation ? { deprecated: true } : {}),
    summary: endpoint.summary,
    description: endpoint.description,
    ...(endpoint.open ? { security: [] } : {}),
    parameters: [
      ...parametersOf(endpoint.pathSchema, 'path'),
      ...parametersOf(endpoint.querySchema, 'query'),
      ...HEADER_PARAMETERS,
    ],
    responses: {
      '200': {
        description: 'The answer.',
        headers: headersOf(endpoint),
        content: {
          [endpoint.contentType]: {
            schema: plain(endpoint.responseSchema),
            ...exampleOf(endpoint),
          },
        },
      },
      '304': {
        description: 'Nothing changed since the answer whose ETag was sent in If-None-Match.',
        headers: headersOf(endpoint),
      },
      ...Object.fromEntries(
        (endpoint.open ? OPEN_STATUSES : KEYED_STATUSES).map((status) => [
          String(status),
          { $ref: `#/components/responses/Problem${status}` },
        ]),
      ),
    },
  }
}

/** A real answer of the endpoint to invented data, kept in examples.json; a test compares it with the service. */
function exampleOf(endpoint: Endpoint): { example?: Json } {
  const example = (EXAMPLES as Record<string, Json>)[endpoint.name]
  return example === undefined ? {} : { example }
}

function headersOf(endpoint: Endpoint): Json {
  const names = [
    'X-Request-Id',
    'ETag',
    ...(endpoint.open ? [] : ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
    ...(endpoint.deprecation ? ['Deprecation', 'Sunset', 'Link'] : []),
    ...(endpoint.headers ?? []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function parametersOf(schema: Type.TSchema, where: 'path' | 'query'): Json[] {
  return [...paramsOf(schema)].map(([name, param]) => {
    const { description, ...value } = plain(param.schema) as Record<string, Json>
    const isList = param.schema['x-kind'].startsWith('csv-')
    return {
      name,
      in: where,
      required: where === 'path' || param.required,
      ...(description === undefined ? {} : { description }),
      ...(isList ? { style: 'form', explode: false } : {}),
      schema: value,
    }
  })
}

/** A schema as plain JSON, without the keywords that only this service reads. */
function plain(schema: unknown): Json {
  return JSON.parse(
    JSON.stringify(schema, (name, value) => (name.startsWith('x-') ? undefined : value)),
  ) as Json
}

const HEADER_PARAMETERS: readonly Json[] = [
  {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'An identifier of your own for this request; returned, and written to the log. At most 64 letters, digits and . _ : -; another is replaced.',
    schema: { type: 'string' },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of an earlier answer; 304 without a body while it still holds.',
    schema: { type: 'string' },
  },
]

const STATUSES = [...new Set(Object.values(STATUS))].sort()
const OPEN_STATUSES = STATUSES.filter((status) => ![401, 403, 429].includes(status))
const KEYED_STATUSES = STATUSES

/** Every kind of problem, for the page that their `type` leads to. */
const PROBLEMS: Json = PROBLEM_CODES.map((code) => ({
  code,
  status: STATUS[code],
  title: TITLE[code],
  description: MEANING[code],
}))

const PROBLEM_RESPONSES: Json = Object.fromEntries(
  STATUSES.map((status) => [
    `Problem${status}`,
    {
      description: EXPLAINED[status] ?? 'A refused request.',
      ...(status === 429 || status === 503
        ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } }
        : {}),
      content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
)

const openApiEndpointShape: Endpoint = {
  name: 'openApi',
  path: '/openapi.json',
  tag: 'Service',
  summary: 'This document',
  description:
    'The OpenAPI 3.1 description of the service, made from the schemas that check its requests.',
  pathSchema: Type.Object({}),
  querySchema: Type.Object({}),
  responseSchema: Type.Object({ openapi: Type.String({ description: 'Version of OpenAPI.' }) }),
  contentType: 'application/json',
  open: true,
  handle: () => Promise.reject(new Error('only its shape is used')),
}

/** Serves the document of these endpoints, itself included. */
export function openApiEndpoint(endpoints: readonly Endpoint[]): Endpoint {
  const body = JSON.stringify(buildOpenApi(endpoints))
  const value = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return {
    ...openApiEndpointShape,
    handle: () =>
      Promise.resolve({
        kind: 'text',
        contentType: 'application/json',
        body,
        tag: { value, weak: false },
      }),
  }
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildOpenApi } from '../../../src/http/openapi.ts'
import { endpointOf, openTestRegistry, type Serving, serve } from './serving.ts'

const deprecation = {
  since: '2026-01-01T00:00:00.000Z',
  sunset: '2027-01-01T00:00:00.000Z',
  link: '/docs#old',
}
const endpoints = [
  endpointOf('/v1/old', () => ({ kind: 'json', body: {} }), { deprecation }),
  endpointOf('/v1/older', () => ({ kind: 'json', body: {} }), {
    deprecation: { since: deprecation.since, link: deprecation.link },
  }),
  endpointOf('/v1/current', () => ({ kind: 'json', body: {} })),
]

let serving: Serving
beforeAll(async () => {
  serving = await serve(await openTestRegistry(), endpoints)
})
afterAll(() => serving.close())

async function announced(path: string, key = serving.key) {
  const { status, headers } = await fetch(`${serving.url}${path}`, {
    headers: { 'X-API-Key': key },
  })
  return [status, headers.get('deprecation'), headers.get('sunset'), headers.get('link')]
}

test('an address that is to go says so on every answer, refusals included', async () => {
  const told = [
    '@1767225600',
    'Fri, 01 Jan 2027 00:00:00 GMT',
    '</docs#old>; rel="deprecation"; type="text/html"',
  ]
  expect(await announced('/v1/old')).toEqual([200, ...told])
  expect(await announced('/v1/old?x=1')).toEqual([400, ...told])
  expect(await announced('/v1/old', 'wrong')).toEqual([401, ...told])
})

test('without a date of its end there is no Sunset; an address that stays has neither', async () => {
  expect((await announced('/v1/older')).slice(0, 3)).toEqual([200, '@1767225600', null])
  expect(await announced('/v1/current')).toEqual([200, null, null, null])
})

test('the documents mark it', () => {
  const { paths } = JSON.parse(JSON.stringify(buildOpenApi(endpoints)))
  expect(paths['/v1/old'].get.deprecated).toBe(true)
  expect(paths['/v1/old'].get.responses['200'].headers).toHaveProperty('Sunset')
  expect(paths['/v1/current'].get).not.toHaveProperty('deprecated')
})

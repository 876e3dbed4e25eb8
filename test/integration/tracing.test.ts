import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { isTracingAsked, startTracing, type Tracing } from '../../src/tracing.ts'
import { registryForTest } from '../support/loading.ts'
import { aListed, registerDefinition, writeRegister } from '../support/register.ts'
import { serveRegistry } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** A collector that keeps the spans it is sent. */
async function collector() {
  const spans: Span[] = []
  const services = new Set<unknown>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        const named = resource.attributes.find(({ key }: { key: string }) => key === 'service.name')
        services.add(named?.value.stringValue)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
      response.setHeader('Content-Type', 'application/json')
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, services, close: () => server.close() }
}

test('one span for a request and one for a run, with the calls to Elasticsearch below them', async () => {
  const { url, spans, services, close } = await collector()
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url)
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json')
  const tracing = (await startTracing(process.env)) as Tracing
  const registry = await registryForTest({ around: tracing.aroundRun })
  const [run] = await registry.load({
    definition: registerDefinition(folder, { territory: 'ES-AR' }),
    file: writeRegister(folder, 'first', [aListed('F1')]),
    observedAt: '2026-01-01T05:00:00.000Z',
  })
  const service = await serveRegistry(registry.db, { around: tracing.aroundRequest })
  const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
  await service.get('/v1/farmacias/changes?since=2020-01-01T00:00:00Z', { headers })
  await service.close()
  await tracing.close()
  close()

  const told = ({ attributes }: Span) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
  const one = (name: string) => {
    const found = spans.filter((span) => span.name === name)
    expect(found, name).toHaveLength(1)
    return found[0] as Span
  }
  const below = ({ traceId, spanId }: Span) =>
    spans.filter((span) => span.traceId === traceId && span.parentSpanId === spanId)

  expect([...services]).toEqual(['pharmacy-registry'])
  const request = one('GET /v1/farmacias/changes')
  expect([request.traceId, request.parentSpanId]).toEqual(['a'.repeat(32), 'b'.repeat(16)])
  expect(told(request)).toEqual({
    'http.request.method': 'GET',
    'http.route': '/v1/farmacias/changes',
    'http.response.status_code': 200,
    request_id: expect.any(String),
  })
  expect(below(request).map(({ name }) => name)).toContain('search')
  const loading = one('run ES-AR')
  expect(told(loading)).toEqual({
    territory_code: 'ES-AR',
    source_slug: 'registro-es-ar',
    run_id: run?.run_id,
    status: 'committed',
  })
  expect(below(loading).map(({ name }) => name)).toContain('bulk')
})

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'farmacias' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'console' }, true],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, false],
  [{ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, false],
])('traces are on only when the standard variables ask for them: %j', async (env, asked) => {
  expect(isTracingAsked(env)).toBe(asked)
  if (!asked) expect(await startTracing(env)).toBeUndefined()
})

import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { TracedRequest } from './http/traced-route.ts'
import type { TracedRun } from './load/context.ts'
import type { RunDocument } from './store/runs.ts'

/** One span for each request and each run; the Elasticsearch client adds one for each of its calls by itself. */
export interface Tracing {
  aroundRequest(request: TracedRequest, answer: () => Promise<void>): Promise<void>
  aroundRun(run: TracedRun, attempt: () => Promise<RunDocument>): Promise<RunDocument>
  /** sends what is left */
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** Whether the standard variables ask for traces. */
export function isTracingAsked(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  if (env.OTEL_TRACES_EXPORTER !== undefined) return env.OTEL_TRACES_EXPORTER !== 'none'
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}

/** Starts OpenTelemetry as the standard variables say; its packages are loaded only when they ask for it. */
export async function startTracing(env: Environment): Promise<Tracing | undefined> {
  if (!isTracingAsked(env)) return undefined
  const { NodeSDK } = await import('@opentelemetry/sdk-node')
  const isNamed = /(^|,)\s*service\.name=/.test(env.OTEL_RESOURCE_ATTRIBUTES ?? '')
  const sdk = new NodeSDK({
    // Figures and logs have their own ways out of here.
    metricReaders: [],
    logRecordProcessors: [],
    ...(env.OTEL_SERVICE_NAME || isNamed ? {} : { serviceName: 'pharmacy-registry' }),
  })
  sdk.start()
  const tracer = trace.getTracer('pharmacy-registry')

  return {
    aroundRequest({ method, route, requestId, headers, status }, answer) {
      const parent = propagation.extract(context.active(), headers)
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        request_id: requestId,
      }
      return tracer.startActiveSpan(
        `${method} ${route}`,
        { kind: SpanKind.SERVER, attributes },
        parent,
        (span) =>
          ended(span, async () => {
            await answer()
            span.setAttribute('http.response.status_code', status())
            if (status() >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          }),
      )
    },
    aroundRun({ territory_code, source_slug }, attempt) {
      return tracer.startActiveSpan(
        `run ${territory_code}`,
        { attributes: { territory_code, source_slug } },
        (span) =>
          ended(span, async () => {
            const run = await attempt()
            span.setAttributes({ run_id: run.run_id, status: run.status })
            if (run.status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR })
            return run
          }),
      )
    },
    close: () => sdk.shutdown(),
  }
}

async function ended<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw cause
  } finally {
    span.end()
  }
}

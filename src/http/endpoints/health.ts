import Type from 'typebox'
import { Problem } from '../../domain/problem.ts'
import type { Store } from '../../store/store.ts'
import type { Endpoint } from '../endpoint.ts'
import { NoPath } from '../response-parts.ts'

const NoQuery = Type.Object({})

const Response = Type.Object({
  status: Type.Literal('ok', { description: 'Always ok; anything else is a problem.' }),
})
const OK: Type.Static<typeof Response> = { status: 'ok' }

const shared = {
  pathSchema: NoPath,
  querySchema: NoQuery,
  responseSchema: Response,
  contentType: 'application/json',
  open: true,
} as const

export const healthLive: Endpoint<typeof NoPath, typeof NoQuery> = {
  ...shared,
  name: 'healthLive',
  path: '/health/live',
  tag: 'Service',
  summary: 'Whether the process runs',
  description: 'Answers as long as the process does; needs no key and no data store.',
  handle: async () => ({ kind: 'json', body: OK }),
}

export const healthReady: Endpoint<typeof NoPath, typeof NoQuery> = {
  ...shared,
  name: 'healthReady',
  path: '/health/ready',
  tag: 'Service',
  summary: 'Whether requests can be answered',
  description: 'Answers 200 while the registry can be read, else 503; needs no key.',
  async handle({ store }) {
    await readable(store)
    return { kind: 'json', body: OK }
  },
}

/** Whatever keeps the state from being read, a probe is told 503: not ready, rather than broken. */
async function readable(store: Store): Promise<void> {
  try {
    await store.state()
  } catch (cause) {
    throw new Problem('store_unavailable', 'The registry cannot be read at the moment.', { cause })
  }
}

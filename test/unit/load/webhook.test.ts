import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { noCounts, noEvents, type Run } from '../../../src/domain/run.ts'
import { openWebhook, type WebhookOptions } from '../../../src/load/webhook.ts'

const QUARANTINED: Run = {
  run_id: 'es-md-7',
  source_slug: 'registro-inventado',
  territory_code: 'ES-MD',
  status: 'quarantined',
  observed_at: '2026-01-31T05:00:00.000Z',
  started_at: '2026-01-31T05:00:00.000Z',
  finished_at: '2026-01-31T05:00:09.000Z',
  baseline: false,
  renormalised: false,
  counts: { ...noCounts(), read: 10, removed: 90 },
  events: { ...noEvents(), closed_hard: 90 },
  reasons: [{ code: 'mass_removal', detail: '90 of 100 records are gone.' }],
  warnings: [],
  error: '90 of 100 records are gone.',
}
const NOW = Date.parse('2026-01-31T05:00:10.000Z')

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** A receiver that answers with these statuses in turn, the last one again and again; 0 hangs up. */
async function receiver(...statuses: number[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const status = statuses[Math.min(received.length, statuses.length - 1)] as number
      received.push({ headers: request.headers, body })
      if (status === 0) request.socket.destroy()
      else response.writeHead(status, { Location: '/elsewhere' }).end('noted')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook/token-of-the-receiver`, received }
}

async function told(
  run: Run,
  more: Partial<WebhookOptions> & { url: string },
): Promise<{ outcomes: string[]; logged: string }> {
  const outcomes: string[] = []
  let logged = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const webhook = openWebhook({
    log: pino({}, sink),
    now: () => NOW,
    pausesMs: [5, 5],
    onOutcome: (outcome) => outcomes.push(outcome),
    ...more,
  })
  webhook.tell(run)
  await webhook.idle()
  return { outcomes, logged }
}

test('a quarantined run is posted whole, with a sentence for people, and signed', async () => {
  const secret = 'a secret of the receiver'
  const { url, received } = await receiver(204)
  const { outcomes } = await told(QUARANTINED, { url, secret })
  expect(outcomes).toEqual(['delivered'])
  expect(received).toHaveLength(1)
  const { headers, body } = received[0] as Received
  const { text, ...run } = JSON.parse(body)
  expect(run).toEqual(QUARANTINED)
  expect(text).toBe(
    'Load of ES-MD (registro-inventado) quarantined. mass_removal: 90 of 100 records are gone. ' +
      'Look at it: runs show es-md-7',
  )
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-registry-run': 'es-md-7',
    'x-registry-timestamp': '1769835610',
  })
  // As a receiver would check it, written down once more.
  const expected = createHmac('sha256', secret).update(`1769835610.${body}`).digest('hex')
  expect(headers['x-registry-signature']).toBe(`sha256=${expected}`)
})

test('without a secret nothing is signed', async () => {
  const { url, received } = await receiver(200)
  await told(QUARANTINED, { url })
  expect(received[0]?.headers).not.toHaveProperty('x-registry-signature')
})

test.each([
  ['a failed run', { status: 'failed', reasons: [{ code: 'timeout', detail: 'no answer' }] }, 1],
  ['one that was stopped', { status: 'failed', reasons: [{ code: 'stopped', detail: '' }] }, 0],
  ['a committed run', { status: 'committed', reasons: [] }, 0],
  ['an unchanged run', { status: 'unchanged', reasons: [] }, 0],
  ['a rejected run', { status: 'rejected' }, 0],
] satisfies [string, Partial<Run>, number][])('%s: told %#', async (_name, more, times) => {
  const { url, received } = await receiver(200)
  await told({ ...QUARANTINED, ...more } as Run, { url })
  expect(received).toHaveLength(times)
})

test.each([500, 503, 429, 408, 0])('after %i it is tried again', async (status) => {
  const { url, received } = await receiver(status, status, 200)
  const { outcomes } = await told(QUARANTINED, { url })
  expect([outcomes, received.length]).toEqual([['delivered'], 3])
})

test('it is given up after the last pause', async () => {
  const { url, received } = await receiver(500)
  const { outcomes, logged } = await told(QUARANTINED, { url })
  expect([outcomes, received.length]).toEqual([['lost'], 3])
  expect(logged).toContain('"msg":"alert not delivered"')
})

test.each([400, 404, 410, 302])('%i is the receiver’s last word', async (status) => {
  const { url, received } = await receiver(status)
  const { outcomes } = await told(QUARANTINED, { url })
  expect([outcomes, received.length]).toEqual([['lost'], 1])
})

test('the address, which may hold a token, is never logged', async () => {
  const { url } = await receiver(500)
  const answered = await told(QUARANTINED, { url })
  const silent = await told(QUARANTINED, { url: 'http://127.0.0.1:9/token-of-the-receiver' })
  expect(answered.logged + silent.logged).not.toContain('token-of-the-receiver')
  expect(silent.outcomes).toEqual(['lost'])
})

test('when the program ends there is one more try, and no more waiting', async () => {
  const { url, received } = await receiver(500)
  const stopping = new AbortController()
  const telling = told(QUARANTINED, { url, pausesMs: [60_000, 60_000], signal: stopping.signal })
  await expect.poll(() => received.length).toBe(1)
  stopping.abort()
  expect((await telling).outcomes).toEqual(['lost'])
  expect(received).toHaveLength(2)
})

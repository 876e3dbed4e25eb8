import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Run } from '../domain/run.ts'

export interface WebhookOptions {
  /** may carry a token of the receiver, so it is never logged */
  url: string
  secret?: string | undefined
  log: Logger
  now: () => number
  /** aborted when the program ends: no further try is made then */
  signal?: AbortSignal
  onOutcome?: ((outcome: 'delivered' | 'lost') => void) | undefined
  /** pauses between the tries; one more try than pauses */
  pausesMs?: readonly number[]
}

export interface Webhook {
  /** tells a person of a run that needs one; anything else is passed over. Returns at once. */
  tell(run: Run): void
  /** resolves when everything told so far is delivered or given up */
  idle(): Promise<void>
}

const PAUSES_MS = [1_000, 4_000, 15_000, 60_000]
const ANSWER_WITHIN_MS = 10_000

/** Posts quarantined and failed runs to a web address; a receiver that is away is tried again with growing pauses. */
export function openWebhook(options: WebhookOptions): Webhook {
  const going = new Set<Promise<void>>()
  return {
    tell(run) {
      if (!needsAPerson(run)) return
      const delivery = deliver(options, run).finally(() => going.delete(delivery))
      going.add(delivery)
    },
    async idle() {
      await Promise.all(going)
    },
  }
}

/** A run that ended because the loader was stopped failed at nothing. */
function needsAPerson({ status, reasons }: Run): boolean {
  if (status === 'quarantined') return true
  return status === 'failed' && !reasons.some(({ code }) => code === 'stopped')
}

/** The run object, with one sentence beside it for receivers that show a text to people. */
function alertBody(run: Run): string {
  const why = run.reasons.map(({ code, detail }) => `${code}: ${detail}`).join(' ')
  const next = run.status === 'quarantined' ? ` Look at it: runs show ${run.run_id}` : ''
  const text = `Load of ${run.territory_code} (${run.source_slug}) ${run.status}. ${why}${next}`
  return JSON.stringify({ ...run, text })
}

/** HMAC-SHA256 over the timestamp, a full stop and the body: neither can be replaced or replayed later. */
function signatureOf(secret: string, timestamp: string, body: string): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return `sha256=${digest}`
}

async function deliver(options: WebhookOptions, run: Run): Promise<void> {
  const { log, signal, onOutcome } = options
  const { run_id } = run
  const pauses = options.pausesMs ?? PAUSES_MS
  for (let attempt = 0; ; attempt += 1) {
    const fault = await post(options, run)
    if (fault === null) {
      onOutcome?.('delivered')
      log.info({ run_id }, 'alert delivered')
      return
    }
    const pause = pauses[attempt]
    if (pause === undefined || !fault.isPassing || signal?.aborted) {
      onOutcome?.('lost')
      log.error({ run_id, reason: fault.reason }, 'alert not delivered')
      return
    }
    log.warn({ run_id, reason: fault.reason, pause_ms: pause }, 'alert not delivered yet')
    await pauseUnless(signal, pause)
  }
}

/** Ends early, without an error, when the program does: there is one last try then. */
async function pauseUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {})
  } catch (cause) {
    if (!signal?.aborted) throw cause
  }
}

interface Fault {
  reason: string
  /** worth another try */
  isPassing: boolean
}

const PASSING = [408, 425, 429]

async function post({ url, secret, now }: WebhookOptions, run: Run): Promise<Fault | null> {
  const body = alertBody(run)
  const timestamp = String(Math.floor(now() / 1000))
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Registry-Run': run.run_id,
        'X-Registry-Timestamp': timestamp,
        ...(secret ? { 'X-Registry-Signature': signatureOf(secret, timestamp, body) } : {}),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    await answer.body?.cancel()
    if (answer.ok) return null
    const isPassing = answer.status >= 500 || PASSING.includes(answer.status)
    return { reason: `status ${answer.status}`, isPassing }
  } catch (cause) {
    // Node's message names the host at most; the address itself stays out of the log.
    const { cause: deeper, name } = cause as Error
    const code = (deeper as NodeJS.ErrnoException | undefined)?.code ?? name
    return { reason: `no answer (${code})`, isPassing: true }
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Target } from './target.ts'

/** One request and its answer, with what the log line at the end tells about it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** epoch milliseconds of the arrival */
  readonly arrivedAt: number
  readonly target: Target
  /** headers that are settled before the answer is known: request id, rate */
  readonly headers: Record<string, string>
  /** path template of the endpoint; null when there is none */
  route: string | null
  keyId: string | null
  /** what made the answer a refusal, for the log only */
  fault: unknown
}

/** Whether somebody still listens. */
export function isGone(exchange: Exchange): boolean {
  return exchange.response.destroyed || exchange.request.socket.destroyed
}

import type { Logger } from 'pino'
import { Problem } from '../domain/problem.ts'
import type { Exchange } from './exchange.ts'

/** One answer as metrics see it. */
export interface Answered {
  method: string
  /** path template of the endpoint; null for addresses that do not exist */
  route: string | null
  status: number
  ms: number
}

/** What nginx made customary for a client that left before it got an answer. */
const CLIENT_LEFT = 499

/** Logs one line when an exchange is over. Never the URL nor the headers: a key could be in either. */
export function logExchange(
  exchange: Exchange,
  sink: { log: Logger; onAnswer?: (answered: Answered) => void },
): void {
  const began = performance.now()
  exchange.response.once('close', () => {
    const { request, response, route } = exchange
    const answered: Answered = {
      method: request.method ?? '',
      route,
      status: response.headersSent ? response.statusCode : CLIENT_LEFT,
      ms: Math.round((performance.now() - began) * 10) / 10,
    }
    const line = {
      request_id: exchange.requestId,
      key_id: exchange.keyId,
      ...answered,
      ...(response.writableFinished ? {} : { cut: true }),
      ...faultFields(exchange),
    }
    if (answered.status >= 500 || isFailure(exchange)) sink.log.error(line, 'request')
    else sink.log.info(line, 'request')
    sink.onAnswer?.(answered)
  })
}

/** A fault that is no answer to a wrong request; a client that left is none either. */
function isFailure({ fault, response }: Exchange): boolean {
  if (fault === undefined || fault instanceof Problem) return false
  return response.headersSent && !response.writableFinished && !isAbort(fault)
}

function isAbort(fault: unknown): boolean {
  return (
    fault instanceof Error && (fault.name === 'AbortError' || fault.name === 'RequestAbortedError')
  )
}

function faultFields({ fault }: Exchange): Record<string, unknown> {
  if (fault === undefined || isAbort(fault)) return {}
  if (fault instanceof Problem) {
    return {
      code: fault.code,
      ...(fault.cause === undefined ? {} : { fault: describeFault(fault.cause) }),
    }
  }
  return { code: 'internal', fault: describeFault(fault) }
}

const MAX_CAUSES = 5

/**
 * An error as log fields. Only name, text and stack, and those of its causes: the enumerable rest of a client's
 * errors holds whole requests, credentials included.
 */
export function describeFault(fault: unknown, depth = 0): Record<string, unknown> {
  if (!(fault instanceof Error)) return { message: String(fault) }
  return {
    type: fault.name,
    message: fault.message,
    stack: fault.stack,
    ...(fault.cause === undefined || depth >= MAX_CAUSES
      ? {}
      : { cause: describeFault(fault.cause, depth + 1) }),
  }
}

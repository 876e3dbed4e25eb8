import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from './route.ts'

/** What a trace tells of a request. */
export interface TracedRequest {
  method: string
  /** path template */
  route: string
  requestId: string
  headers: IncomingHttpHeaders
  /** the status of the answer, once there is one */
  status: () => number
}

export type AroundRequest = (request: TracedRequest, answer: () => Promise<void>) => Promise<void>

/** The same route, answered inside a span; without tracing it is the route itself. */
export function tracedRoute(route: Route, path: string, around: AroundRequest | undefined): Route {
  if (!around) return route
  return (exchange) => {
    const { request, response, requestId } = exchange
    const { method = '', headers } = request
    const status = () => response.statusCode
    return around({ method, route: path, requestId, headers, status }, () => route(exchange))
  }
}

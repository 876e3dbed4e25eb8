import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { OperatorError } from '../domain/problem.ts'

export interface MetricsListener {
  url: string
  close(): Promise<void>
}

/** Serves the metrics, and nothing else, on a listener of its own: who may see them is who can reach it. */
export async function listenForScrapes(
  at: { port: number; host: string },
  { register, collect }: { register: Registry; collect: () => Promise<void> },
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      send(response, { status: 404, type: 'text/plain', text: 'Metrics are at GET /metrics.\n' })
      return
    }
    collect()
      .then(() => register.metrics())
      .then((text) => send(response, { status: 200, type: register.contentType, text }))
      .catch((cause: unknown) => response.destroy(cause as Error))
  })
  const port = await listen(server, at)
  return {
    url: `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Not chained: Restify, which changes Node's own responses for the whole process, gives nothing back here. */
function send(
  response: ServerResponse,
  { status, type, text }: { status: number; type: string; text: string },
): void {
  response.writeHead(status, { 'Content-Type': type })
  response.end(text)
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new OperatorError(`METRICS_PORT ${port}: ${cause.message}.`, cause)),
    )
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

import { readFileSync } from 'node:fs'
import { Client } from '@elastic/elasticsearch'

export interface Connection {
  /** one URL, or several nodes separated by commas */
  url: string
  apiKey?: string | undefined
  username?: string | undefined
  password?: string | undefined
  /** path of the CA file that signed the cluster's certificates */
  caFile?: string | undefined
  requestTimeoutMs?: number | undefined
}

/** Builds the client; nothing is sent before the first request. Every node named is used and retried. */
export function connect(connection: Connection): Client {
  const options: ConstructorParameters<typeof Client>[0] = {
    nodes: connection.url.split(',').map((node) => node.trim()),
    maxRetries: 3,
    requestTimeout: connection.requestTimeoutMs ?? 30_000,
    // Elasticsearch and the mappings decide the names in an answer, never a register: looking for bad ones costs a
    // sixth of the time that reading an answer takes.
    disablePrototypePoisoningProtection: true,
  }
  if (connection.apiKey) options.auth = { apiKey: connection.apiKey }
  else if (connection.username && connection.password) {
    options.auth = { username: connection.username, password: connection.password }
  }
  if (connection.caFile) options.tls = { ca: readFileSync(connection.caFile) }
  return new Client(options)
}

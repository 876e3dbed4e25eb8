import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

// The least that a program between Elasticsearch and a caller does, as a process of its own: passes each request on,
// and its answer back as it came. What it costs is what any API in Node costs. Argument: url of Elasticsearch.
const { hostname, port } = new URL(process.argv[2] as string)
const agent = new Agent({ keepAlive: true })

const server = createServer((asked, answer) => {
  const { method, url: path, headers } = asked
  const passed = request({ agent, hostname, port, method, path, headers }, (found) => {
    const chunks: Buffer[] = []
    found.on('data', (chunk: Buffer) => chunks.push(chunk))
    found.on('end', () => {
      const body = Buffer.concat(chunks)
      answer.writeHead(found.statusCode ?? 500, {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      })
      answer.end(body)
    })
  })
  asked.pipe(passed)
})
// The askers keep their connections for the whole run.
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`Serving on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))

import { findElasticsearch } from '../../../src/embedded/find-elasticsearch.ts'
import { buildLog } from '../../../src/log.ts'

/** A program as small as can be that keeps an Elasticsearch, to be stopped or killed by the test. */
const [, , dataDir = ''] = process.argv
const found = await findElasticsearch({
  dataDir,
  env: process.env,
  log: buildLog({ level: 'warn' }),
  heapMb: 512,
})
const life = setInterval(() => undefined, 60_000)
process.once('SIGTERM', () => {
  clearInterval(life)
  void found.stop()
})
// Last: the test stops the program as soon as it reads this.
process.stdout.write(`${JSON.stringify({ node: found.node, kind: found.kind })}\n`)

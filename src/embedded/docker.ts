import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Log } from '../log.ts'
import { ELASTICSEARCH_VERSION } from './distribution.ts'
import type { Environment } from './places.ts'

const IMAGE = `docker.elastic.co/elasticsearch/elasticsearch:${ELASTICSEARCH_VERSION}`
const PORT = 9200
const START_LIMIT_MS = 4 * 60_000

export interface DockerNode {
  url: string
  stop(): Promise<void>
}

/**
 * Starts the official image through testcontainers, which is loaded only here: most starts never need it.
 * A container's port is open to the network, unlike a local node's, so this one has a password.
 * `volume` keeps the data beyond the container. A string says why it did not work.
 */
export async function startInDocker(options: {
  clusterName: string
  volume: string | undefined
  heapMb: number
  env: Environment
  log: Log
}): Promise<DockerNode | string> {
  const { clusterName, volume, heapMb, env, log } = options
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers')
  try {
    await getContainerRuntimeClient()
  } catch {
    return 'no engine is reachable'
  }
  log.info({ image: IMAGE }, 'starting Elasticsearch in Docker')
  const password = randomBytes(18).toString('hex')
  const wanted = new GenericContainer(IMAGE)
    .withEnvironment({
      'cluster.name': clusterName,
      'discovery.type': 'single-node',
      'xpack.security.enabled': 'true',
      'xpack.security.http.ssl.enabled': 'false',
      'path.repo': '/usr/share/elasticsearch/data/backups',
      ELASTIC_PASSWORD: password,
      ES_JAVA_OPTS: env.ES_JAVA_OPTS ?? `-Xms${heapMb}m -Xmx${heapMb}m`,
    })
    .withExposedPorts(PORT)
    .withWaitStrategy(
      Wait.forHttp('/_cluster/health?wait_for_status=yellow&timeout=1s', PORT)
        .withBasicCredentials('elastic', password)
        .forStatusCode(200),
    )
    .withStartupTimeout(START_LIMIT_MS)
  if (volume) wanted.withBindMounts([{ source: volume, target: '/usr/share/elasticsearch/data' }])
  const container = await wanted.start()
  const release = removeWhenKilled(container.getId(), env)
  return {
    url: `http://elastic:${password}@${container.getHost()}:${container.getMappedPort(PORT)}`,
    stop: async () => {
      await container.stop()
      release()
    },
  }
}

/**
 * testcontainers' own reaper removes the container of a program that was killed. Where it is turned off, a shell that
 * waits for the end of a pipe of ours does (supervise.ts tells how).
 */
function removeWhenKilled(containerId: string, env: Environment): () => void {
  if (env.TESTCONTAINERS_RYUK_DISABLED !== 'true') return () => undefined
  const guard = spawn(
    'sh',
    ['-c', 'cat >/dev/null; exec docker rm --force "$1"', 'sh', containerId],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env,
    },
  )
  guard.unref()
  return () => guard.stdin.end()
}

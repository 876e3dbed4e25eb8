import assert from 'node:assert/strict'
import { callEverything, get } from './endpoints.ts'
import { placeRegister } from './register.ts'
import { openStack, run, until } from './stack.ts'

/** The three-node cluster: it comes up green, takes data, and goes on answering when a node is lost. */
export async function cluster(folder: string, say: (text: string) => void): Promise<void> {
  const files = ['docker-compose.yml', 'docker-compose.cluster.yml']
  if (await hasFewFiles()) {
    say('containers may open fewer than 65536 files here: the nodes speak over loopback')
    files.push('test/containers/loopback.yml')
  }
  const stack = await openStack(folder, files)
  const { compose, apis, operator, exec } = stack
  placeRegister(stack.sources)
  const health = async () => {
    const { stdout } = await exec(
      'elasticsearch',
      'bash',
      '-c',
      'curl -s -u "elastic:$ELASTIC_PASSWORD" http://localhost:9200/_cluster/health',
    )
    return JSON.parse(stdout) as { status: string; number_of_nodes: number }
  }
  try {
    await compose(['up', '-d'])
    await until('the cluster is green', async () => {
      const { status, number_of_nodes } = await health()
      assert.deepEqual({ status, number_of_nodes }, { status: 'green', number_of_nodes: 3 })
    })
    say('three nodes, green')
    const issued = await operator('keys', 'issue', '--name', 'containers', '--json')
    const { key } = JSON.parse(issued.stdout.trim().split('\n').at(-1) as string) as { key: string }
    await operator('demo')
    say(`${await callEverything(apis[0], key)} addresses answer`)
    await compose(['kill', 'elasticsearch-3'])
    await until('two nodes answer alone', async () => {
      const answer = await get(apis[0], '/v1/farmacias/export/ES-MD/csv', key)
      assert.equal(answer.status, 200)
      await answer.text()
    })
    await operator('verify')
    say('a node lost: every invariant holds')
  } finally {
    await compose(['down', '--volumes', '--remove-orphans'], { mayFail: true })
  }
}

const ENOUGH_FILES = 65_536
const IMAGE = 'docker.elastic.co/elasticsearch/elasticsearch:9.2.0'

/** Elasticsearch checks it before it binds to a network. */
async function hasFewFiles(): Promise<boolean> {
  const asked = ['run', '--rm', '--entrypoint', 'bash', IMAGE, '-c', 'ulimit -Hn']
  const limit = (await run('docker', asked)).stdout.trim()
  return limit !== 'unlimited' && Number(limit) < ENOUGH_FILES
}

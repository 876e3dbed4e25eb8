import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startCli } from '../support/cli.ts'
import { elasticsearchUrl, testPrefix } from '../support/registry.ts'

let serving: Running
let url: string

beforeAll(async () => {
  serving = startCli(['serve', '--workers', '2', '--port', '0'], {
    ELASTICSEARCH_URL: elasticsearchUrl(),
    INDEX_PREFIX: testPrefix(),
    LOG_LEVEL: 'error',
  })
  url = (await serving.said(/Serving on (\S+) with 2 workers/))[1] as string
})

afterAll(() => {
  serving.child.kill('SIGKILL')
})

/** Answers of connections of their own, so that every worker has its turn. */
async function statuses(times: number): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      fetch(`${url}/health/live`, { headers: { Connection: 'close' } }),
    ),
  )
  return answers.map(({ status }) => status)
}

test('workers share one port; one that dies is replaced, and all end when they are asked to', async () => {
  expect(await statuses(8)).toEqual(Array(8).fill(200))

  const worker = await workerPid()
  process.kill(worker, 'SIGKILL')
  const [line] = await serving.said(/^.*another is started.*$/m)
  expect(JSON.parse(line)).toMatchObject({ signal: 'SIGKILL', msg: expect.any(String) })
  // The other one goes on serving meanwhile.
  expect(await statuses(8)).toEqual(Array(8).fill(200))
  // One that ends before it ever listened is replaced as well.
  const [stays] = await workerPids()
  process.kill(await newWorker([worker, stays]), 'SIGKILL')
  await serving.said(/a worker ended with null before it listened/)
  await newWorker([worker, stays])
  expect(await statuses(8)).toEqual(Array(8).fill(200))

  serving.child.kill('SIGTERM')
  expect(await serving.ended).toMatchObject({ code: 0 })
  await expect(fetch(`${url}/health/live`)).rejects.toThrow()
})

async function newWorker(known: readonly (number | undefined)[]): Promise<number> {
  for (;;) {
    const found = (await workerPids()).find((pid) => !known.includes(pid))
    if (found) return found
    await sleep(20)
  }
}

async function workerPid(): Promise<number> {
  return (await workerPids())[0] as number
}

async function workerPids(): Promise<number[]> {
  const { pid } = serving.child
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

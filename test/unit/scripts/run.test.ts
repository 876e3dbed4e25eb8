import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const RUN = resolve(import.meta.dirname, '../../../scripts/run.mjs')

test('arguments, output and exit code pass through, and nothing else is on standard output', () => {
  const program = 'console.log(JSON.stringify(process.argv.slice(1))); process.exitCode = 3'
  const { stdout, status } = spawnSync(
    process.execPath,
    [RUN, '-e', program, 'keys', 'list --json'],
    {
      encoding: 'utf8',
    },
  )
  expect([stdout, status]).toEqual(['["keys","list --json"]\n', 3])
})

test('an installed tool is found by its name', () => {
  const { stdout, status } = spawnSync(process.execPath, [RUN, 'tsc', '--version'], {
    encoding: 'utf8',
  })
  expect([stdout.split(' ')[0], status]).toEqual(['Version', 0])
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s is passed on once, and the end of the program is ours',
  async (signal) => {
    const program = `
    let seen = 0
    process.on('${signal}', () => { seen += 1; setTimeout(() => process.exit(40 + seen), 200) })
    setInterval(() => undefined, 1000)
    console.log('up')`
    const runner = spawn(process.execPath, [RUN, '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(runner.stdout, 'data')
    runner.kill(signal)
    // npm passes its own copy of a Ctrl-C on, a moment later.
    setTimeout(() => runner.kill(signal), 50)
    expect(await endOf(runner)).toEqual([41, null])
  },
)

test('a program that ends by a signal counts as failed', async () => {
  const runner = spawn(process.execPath, [RUN, '-e', "process.kill(process.pid, 'SIGKILL')"])
  expect(await endOf(runner)).toEqual([137, null])
})

function endOf(child: ChildProcess): Promise<unknown[]> {
  return once(child, 'exit')
}

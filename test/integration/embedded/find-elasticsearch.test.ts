import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAlive } from '../../../src/embedded/lock.ts'
import { withQuickStart } from '../../support/quick-start.ts'

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url))

let dataDir: string
const programs: ChildProcess[] = []

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pharmacy-registry-embedded-'))
  chmodSync(dataDir, 0o755) // as root the node runs as another user, who must get here
})

afterAll(() => {
  for (const program of programs) program.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

describe('a node in DATA_DIR', () => {
  test('is started once by two programs, ends with the one that started it, killed or not, and is found again', async () => {
    const both = [startProgram(), startProgram()]
    const found = await Promise.all(both.map(({ found }) => found))
    expect(found.map(({ kind }) => kind).sort()).toEqual(
      [expect.not.stringMatching('running'), 'running'].sort(),
    )
    expect(found[0]?.node).toBe(found[1]?.node)

    const starter = both[found.findIndex(({ kind }) => kind !== 'running')]
    const other = both[found.findIndex(({ kind }) => kind === 'running')]
    const { pid } = recorded()
    other?.program.kill('SIGTERM')
    await other?.ended
    expect(isAlive(pid)).toBe(true)

    starter?.program.kill('SIGKILL')
    await starter?.ended
    await untilGone(pid)

    const again = startProgram()
    expect((await again.found).kind).not.toBe('running')
    const second = recorded()
    again.program.kill('SIGTERM')
    expect(await again.ended).toEqual([0, null])
    expect(isAlive(second.pid)).toBe(false)
    expect(readRecord()).not.toHaveProperty('running')
  }, 180_000)
})

function startProgram() {
  const program = spawn(process.execPath, [PROGRAM, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: withQuickStart(process.env),
  })
  programs.push(program)
  const found = new Promise<{ node: string; kind: string }>((resolve, reject) => {
    let text = ''
    program.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(JSON.parse(text))
    })
    program.once('exit', () => reject(new Error(`the program ended early: ${text}`)))
  })
  return { program, found, ended: once(program, 'exit') }
}

function readRecord(): { running?: { pid: number } } {
  return JSON.parse(readFileSync(join(dataDir, 'elasticsearch.json'), 'utf8'))
}

function recorded(): { pid: number } {
  const { running } = readRecord()
  if (!running) throw new Error('no running node is recorded')
  return running
}

async function untilGone(pid: number): Promise<void> {
  for (let look = 0; isAlive(pid); look += 1) {
    if (look > 300) throw new Error(`process ${pid} outlived its program`)
    await sleep(100)
  }
}

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const LOG = fileURLToPath(new URL('../../src/log.ts', import.meta.url))

/** Runs lines of a program that logs; in a process of its own, because the log belongs to its standard error. */
function logged(level: string, lines: string): Record<string, unknown>[] {
  const program = `import { buildLog } from ${JSON.stringify(LOG)}\nconst log = buildLog({ level: '${level}' })\n${lines}`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
  return stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('a line is JSON with level, time and fields, also right before the program ends', () => {
  const [line, ...rest] = logged(
    'info',
    `log.debug('unseen'); log.info({ run_id: 'r1' }, 'committed'); process.exit(0)`,
  )
  expect(rest).toEqual([])
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    run_id: 'r1',
    msg: 'committed',
  })
})

test('secrets are cut out', () => {
  const [line] = logged(
    'info',
    `log.info({ key: 'k-1', password: 'p-1', req: { headers: { 'x-api-key': 'k-2', accept: '*/*' } } }, 'asked')`,
  )
  expect(line).toMatchObject({
    key: '[secret]',
    password: '[secret]',
    req: { headers: { 'x-api-key': '[secret]', accept: '*/*' } },
  })
})

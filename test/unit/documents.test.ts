import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Settings } from '../../src/config/settings.ts'
import { EVENT_TYPES } from '../../src/domain/event.ts'
import { PROBLEM_CODES } from '../../src/domain/problem.ts'
import { REASON_CODES, RUN_STATUSES, WARNING_CODES } from '../../src/domain/run.ts'
import {
  type Command,
  commands,
  documents,
  ROOT,
  readDocument as read,
  wordsOf,
} from '../support/documents.ts'

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

let help: ReadonlyMap<string, string>
beforeAll(() => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/cli.ts'), '--help'],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  const sections = stdout.split('\n\n').filter((section) => /^ {2}[a-z]/.test(section))
  help = new Map(sections.map((section) => [/[a-z-]+/.exec(section)?.[0] as string, section]))
}, 60_000)

/** What is wrong with a call of the operator's commands; null when it can be called so. */
function faultOfCall([name = '', ...rest]: string[]): string | null {
  if (name === '--help') return null
  const text = help.get(name)
  if (text === undefined) return `there is no command ${name}`
  const actions = [...text.matchAll(new RegExp(`^ {2}${name} ([a-z]+)\\b`, 'gm'))].map(
    ([, action]) => action,
  )
  const action = rest[0]
  if (
    actions.length > 0 &&
    action !== undefined &&
    !action.startsWith('-') &&
    !actions.includes(action)
  )
    return `${name} has no ${action}`
  const unknown = rest.filter((word) => word.startsWith('--') && !text.includes(word))
  return unknown.length > 0 ? `${name} has no ${unknown.join(', ')}` : null
}

function composeFiles(words: readonly string[]): string[] {
  const named = words.flatMap((word, at) => (word === '-f' ? [words[at + 1] as string] : []))
  return named.length > 0 ? named : ['docker-compose.yml']
}

function faultOfCompose(words: string[]): string | null {
  const files = composeFiles(words)
  const missing = files.filter((file) => !existsSync(join(ROOT, file)))
  if (missing.length > 0) return `there is no ${missing.join(', ')}`
  const services = files.flatMap((file) =>
    Object.keys((parse(read(file), { merge: true }) as { services: object }).services),
  )
  const rest = words.filter((word, at) => word !== '-f' && words[at - 1] !== '-f')
  const [action = '', ...more] = rest
  if (!['up', 'ps', 'run', 'exec', 'stop', 'down', 'logs'].includes(action))
    return `compose ${action}`
  const named = more.findIndex((word) => !word.startsWith('-'))
  const service = more[named]
  if (service !== undefined && !services.includes(service)) return `there is no service ${service}`
  return service === 'operator' ? faultOfCall(more.slice(named + 1)) : null
}

/** Programs of the reader's machine. */
const ORDINARY = ['cd', 'cp', 'mkdir', 'chmod', 'git', 'docker', 'openssl', 'sysctl']
/** Shell scripts, which tests of their own run as they stand. */
const SCRIPTS = ['docs/api.md', 'docs/api-introduction.md', 'docs/mirror.md', 'README.md']

function faultOf({ at, words }: Command): string | null {
  const [program = '', ...rest] = words
  if (program === 'npm') return faultOfNpm(rest)
  if (program === 'docker-compose') return faultOfCompose(rest)
  if (program === 'cp' && !existsSync(join(ROOT, rest[0] ?? ''))) return `there is no ${rest[0]}`
  if (ORDINARY.includes(program)) return null
  return SCRIPTS.includes(at.split(':')[0] as string) ? null : `what is ${program}?`
}

function faultOfNpm(words: string[]): string | null {
  const [verb = '', ...rest] = words.filter((word) => word !== '-s')
  if (verb === 'start' || verb === 'test') return verb in scripts ? null : `no script ${verb}`
  const [script = '', ...more] = rest
  if (verb !== 'run' || !(script in scripts)) return `no script ${script}`
  const separator = more.indexOf('--')
  return script === 'cli' ? faultOfCall(more.slice(separator + 1)) : null
}

test('every command in the documents can be typed as it stands', () => {
  const all = commands()
  expect(all.length).toBeGreaterThan(30)
  const faults = all.flatMap((command) => {
    const fault = faultOf(command)
    return fault === null ? [] : [`${command.at}  ←  ${fault}`]
  })
  expect(faults).toEqual([])
})

test('a command that does not exist is found out', () => {
  const typed = (line: string) => faultOf({ at: 'x', words: wordsOf(line) })
  expect(typed('npm run -s cli -- keys isue --name x')).toBe('keys has no isue')
  expect(typed('npm run -s cli -- keys issue --nmae x')).toBe('keys has no --nmae')
  expect(typed('npm run -s cli -- kyes list')).toBe('there is no command kyes')
  expect(typed('npm run tset')).toBe('no script tset')
  expect(typed('docker-compose up -d api-3')).toBe('there is no service api-3')
  expect(typed('docker-compose run --rm operator runs aprove X')).toBe('runs has no aprove')
  expect(typed('docker-compose -f docker-compose.gone.yml up')).toBe(
    'there is no docker-compose.gone.yml',
  )
})

test.each([
  ['event type', EVENT_TYPES, 'docs/glossary.md'],
  ['run status', RUN_STATUSES, 'docs/glossary.md'],
  ['reason code', REASON_CODES, 'docs/operations.md'],
  ['warning code', WARNING_CODES, 'docs/operations.md'],
  ['problem code', PROBLEM_CODES, 'docs/operations.md'],
  ['problem code', PROBLEM_CODES, 'docs/api.md'],
  ['setting', Object.keys(Settings.properties), 'docs/configuration.md'],
])('every %s is told of', (_what, names, file) => {
  const text = read(file)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

test('every link between the documents leads somewhere', () => {
  const broken = documents().flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => join(ROOT, file, '..', target as string))
      .filter((target) => !existsSync(target))
      .map((target) => `${file} → ${relative(ROOT, target)}`),
  )
  expect(broken).toEqual([])
})

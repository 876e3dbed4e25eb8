import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import Value from 'typebox/value'
import { OperatorError } from '../domain/problem.ts'
import { type Config, Settings } from './settings.ts'
import { contradictions } from './settings-together.ts'
import { unknownSettings } from './unknown-settings.ts'

const INTEGER = /^(0|[1-9][0-9]{0,8})$/

type SettingName = keyof Config

/** What the list above says of one setting. */
interface Setting {
  type?: string
  description: string
  default?: string | number
  otherwise?: string
  expected?: string
  minimum?: number
  maximum?: number
  secret?: boolean
  path?: boolean
  exists?: 'file' | 'directory'
}
const SETTINGS = Object.entries(Settings.properties) as unknown as [SettingName, Setting][]

type Values = Record<string, string | number>
const DEFAULTS: Values = Object.fromEntries(
  SETTINGS.flatMap(([name, setting]) =>
    setting.default === undefined ? [] : [[name, setting.default]],
  ),
)

type Environment = Readonly<Record<string, string | undefined>>

/** Reads and checks the settings. Throws one OperatorError with a line for every fault, or returns all of them valid. */
export function readConfig(env: Environment): Config {
  const given = SETTINGS.flatMap(([name, setting]) => {
    const text = env[name]
    return text === undefined ? [] : [{ name, setting, text, value: parse(text, setting) }]
  })
  const faults = [
    ...unknownSettings(env, Object.keys(Settings.properties)),
    ...given.flatMap((each) => faultOf(each) ?? []),
    ...contradictions(env),
  ]
  if (faults.length > 0) throw new OperatorError(faults.join('\n'))
  const values = {
    ...DEFAULTS,
    ...Object.fromEntries(given.map(({ name, value }) => [name, value])),
  }
  values.INDEX_REPLICAS ??= env.ELASTICSEARCH_URL ? 1 : 0
  return Value.Parse(Settings, withAbsolutePaths(values))
}

function withAbsolutePaths(values: Values): Values {
  return Object.fromEntries(
    SETTINGS.flatMap(([name, { path }]) => {
      const value = values[name]
      if (value === undefined) return []
      return [[name, path ? resolve(String(value)) : value]]
    }),
  )
}

interface Given {
  name: SettingName
  setting: Setting
  text: string
  value: string | number
}

function parse(text: string, setting: Setting): string | number {
  return setting.type === 'integer' && INTEGER.test(text) ? Number(text) : text
}

function faultOf({ name, setting, text, value }: Given): string | undefined {
  if (text.trim() === '') return `${name} is empty: give it a value or remove it.`
  if (!Value.Check(Settings.properties[name], value)) {
    const shown = setting.secret ? '' : `, not ${JSON.stringify(text)}`
    return `${name} must be ${expectation(setting)}${shown}.`
  }
  if (setting.exists && !isThere(text, setting.exists)) {
    return `${name} names a ${setting.exists} that is not there: ${resolve(text)}.`
  }
  return undefined
}

function expectation({ expected, minimum, maximum }: Setting): string {
  return expected ?? `a whole number from ${minimum} to ${maximum}`
}

function isThere(path: string, kind: 'file' | 'directory'): boolean {
  if (!existsSync(path)) return false
  return statSync(path).isDirectory() === (kind === 'directory')
}

/** The settings as they are in force, for people to read: secrets masked, null where nothing is set. */
export function maskedConfig(config: Config): Record<SettingName, string | number | null> {
  const shown = SETTINGS.map(([name, { secret }]) => {
    const value = config[name] ?? null
    if (value === null) return [name, null]
    return [name, secret ? '***' : maskedAddress(value)]
  })
  return Object.fromEntries(shown) as Record<SettingName, string | number | null>
}

function maskedAddress(value: string | number): string | number {
  return typeof value === 'string' ? value.replace(/(\/\/)[^\s,/@]+@/g, '$1***@') : value
}

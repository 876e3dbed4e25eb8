import { type ParseArgsConfig, parseArgs } from 'node:util'
import { OperatorError } from '../domain/problem.ts'
import { parseInstant } from '../domain/time.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the flags of one command; an unknown or incomplete one is an operator's error, not a stack. */
export function parseFlags<const O extends Options>(
  args: readonly string[],
  options: O,
  allowed: { min: number; max: number; usage: string },
) {
  const parsed = attempt(() =>
    parseArgs({ args: [...args], options, allowPositionals: true, strict: true }),
  )
  const count = parsed.positionals.length
  if (count < allowed.min || count > allowed.max) {
    throw new OperatorError(`Usage: ${allowed.usage}`)
  }
  return parsed
}

function attempt<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new OperatorError(cause instanceof Error ? cause.message : String(cause), cause)
  }
}

export function instantFlag(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const instant = parseInstant(text)
  if (instant) return instant
  throw new OperatorError(
    `--${name} ${text}: expected an ISO 8601 UTC datetime such as 2026-01-31T06:00:00Z.`,
  )
}

export function integerFlag(
  name: string,
  text: string | undefined,
  bounds: { min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= bounds.min && value <= bounds.max) return value
  throw new OperatorError(
    `--${name} ${text}: expected a whole number from ${bounds.min} to ${bounds.max}.`,
  )
}

export function listFlag(text: string | undefined): string[] | undefined {
  return text?.split(',').map((item) => item.trim())
}

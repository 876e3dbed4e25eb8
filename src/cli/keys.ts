import { OperatorError } from '../domain/problem.ts'
import { isTerritoryCode } from '../domain/territory.ts'
import { openKeys } from '../store/keys.ts'
import { instantFlag, integerFlag, listFlag, parseFlags } from './arguments.ts'
import { print, table } from './output.ts'
import type { ReadyCommand } from './runtime.ts'

export const KEYS_HELP = `keys issue --name N [--territories A,B] [--expires ISO] [--json]
keys list [--json]
keys rotate ID [--grace SECONDS] [--json]     the old key stays valid for the grace period (default 86400)
keys revoke ID [--json]                       takes effect within 5 seconds everywhere

A key is shown once, when it is issued or rotated.`

const DEFAULT_GRACE_S = 86_400
const MAX_GRACE_S = 31_536_000

export async function keysCommand(args: readonly string[]): Promise<ReadyCommand> {
  const [action, ...rest] = args
  if (action === 'issue') return issue(rest)
  if (action === 'list') return list(rest)
  if (action === 'rotate') return rotate(rest)
  if (action === 'revoke') return revoke(rest)
  throw new OperatorError(
    `keys ${action ?? ''}: expected issue, list, rotate or revoke.\n${KEYS_HELP}`,
  )
}

function issue(args: readonly string[]): ReadyCommand {
  const { values } = parseFlags(
    args,
    {
      name: { type: 'string' },
      territories: { type: 'string' },
      expires: { type: 'string' },
      json: { type: 'boolean' },
    },
    { min: 0, max: 0, usage: 'keys issue --name N [--territories A,B] [--expires ISO] [--json]' },
  )
  if (!values.name?.trim())
    throw new OperatorError('keys issue: --name is needed, so that the key can be told apart.')
  const territories = listFlag(values.territories)
  const wrong = territories?.find((code) => !isTerritoryCode(code))
  if (wrong !== undefined)
    throw new OperatorError(
      `--territories ${wrong}: expected codes of the form ES-XX, separated by commas.`,
    )
  const expires = instantFlag('expires', values.expires)
  if (expires && Date.parse(expires) <= Date.now())
    throw new OperatorError(`--expires ${expires} is in the past.`)
  const name = values.name.trim()
  return async ({ db }) => {
    const issued = await openKeys(db).issue({
      name,
      territories: territories ? [...new Set(territories)] : null,
      expires_at: expires ?? null,
    })
    if (values.json) print(JSON.stringify(issued))
    else showKey(issued)
    return 0
  }
}

function rotate(args: readonly string[]): ReadyCommand {
  const { values, positionals } = parseFlags(
    args,
    { grace: { type: 'string' }, json: { type: 'boolean' } },
    { min: 1, max: 1, usage: 'keys rotate ID [--grace SECONDS] [--json]' },
  )
  const grace = integerFlag('grace', values.grace, { min: 0, max: MAX_GRACE_S }) ?? DEFAULT_GRACE_S
  return async ({ db }) => {
    const issued = await openKeys(db).rotate(positionals[0] as string, grace)
    if (values.json) print(JSON.stringify(issued))
    else {
      showKey(issued)
      print(`The old key ${issued.previous.id} is valid until ${issued.previous.valid_until}.`)
    }
    return 0
  }
}

function revoke(args: readonly string[]): ReadyCommand {
  const { values, positionals } = parseFlags(
    args,
    { json: { type: 'boolean' } },
    { min: 1, max: 1, usage: 'keys revoke ID [--json]' },
  )
  const id = positionals[0] as string
  return async ({ db }) => {
    await openKeys(db).revoke(id)
    print(values.json ? JSON.stringify({ id, revoked: true }) : `Key ${id} is revoked.`)
    return 0
  }
}

function list(args: readonly string[]): ReadyCommand {
  const { values } = parseFlags(
    args,
    { json: { type: 'boolean' } },
    { min: 0, max: 0, usage: 'keys list [--json]' },
  )
  return async ({ db }) => {
    const keys = await openKeys(db).list()
    print(values.json ? JSON.stringify(keys) : tableOf(keys))
    return 0
  }
}

function tableOf(keys: Awaited<ReturnType<ReturnType<typeof openKeys>['list']>>): string {
  return table(
    ['id', 'name', 'territories', 'created', 'expires', 'revoked'],
    keys.map((key) => [
      key.id,
      key.name,
      key.territories?.join(',') ?? 'all',
      key.created_at,
      key.expires_at ?? '',
      key.revoked_at ?? '',
    ]),
  )
}

function showKey(issued: {
  id: string
  key: string
  name: string
  territories: string[] | null
}): void {
  print(
    `Key ${issued.id} (${issued.name}, ${issued.territories?.join(', ') ?? 'all territories'}), shown once:`,
  )
  print(issued.key)
}

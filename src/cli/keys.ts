import { OperatorError } from '../domain/problem.ts'
import { isTerritoryCode } from '../domain/territory.ts'
import { openKeys } from '../store/keys.ts'
import { instantFlag, integerFlag, listFlag, parseFlags } from './arguments.ts'
import { print, table } from './output.ts'
import type { Runtime } from './runtime.ts'

export const KEYS_HELP = `keys issue --name N [--territories A,B] [--expires ISO] [--json]
keys list [--json]
keys rotate ID [--grace SECONDS] [--json]     the old key stays valid for the grace period (default 86400)
keys revoke ID [--json]                       takes effect within 5 seconds everywhere

A key is shown once, when it is issued or rotated.`

const DEFAULT_GRACE_S = 86_400
const MAX_GRACE_S = 31_536_000

export async function keysCommand(runtime: Runtime, args: readonly string[]): Promise<number> {
  const [action, ...rest] = args
  if (action === 'issue') return issue(runtime, rest)
  if (action === 'list') return list(runtime, rest)
  if (action === 'rotate') return rotate(runtime, rest)
  if (action === 'revoke') return revoke(runtime, rest)
  throw new OperatorError(
    `keys ${action ?? ''}: expected issue, list, rotate or revoke.\n${KEYS_HELP}`,
  )
}

async function issue({ db }: Runtime, args: readonly string[]): Promise<number> {
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
  const issued = await openKeys(db).issue({
    name: values.name.trim(),
    territories: territories ? [...new Set(territories)] : null,
    expires_at: expires ?? null,
  })
  if (values.json) print(JSON.stringify(issued))
  else showKey(issued)
  return 0
}

async function rotate({ db }: Runtime, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(
    args,
    { grace: { type: 'string' }, json: { type: 'boolean' } },
    { min: 1, max: 1, usage: 'keys rotate ID [--grace SECONDS] [--json]' },
  )
  const grace = integerFlag('grace', values.grace, { min: 0, max: MAX_GRACE_S }) ?? DEFAULT_GRACE_S
  const issued = await openKeys(db).rotate(positionals[0] as string, grace)
  if (values.json) print(JSON.stringify(issued))
  else {
    showKey(issued)
    print(`The old key ${issued.previous.id} is valid until ${issued.previous.valid_until}.`)
  }
  return 0
}

async function revoke({ db }: Runtime, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseFlags(
    args,
    { json: { type: 'boolean' } },
    { min: 1, max: 1, usage: 'keys revoke ID [--json]' },
  )
  const id = positionals[0] as string
  await openKeys(db).revoke(id)
  print(values.json ? JSON.stringify({ id, revoked: true }) : `Key ${id} is revoked.`)
  return 0
}

async function list({ db }: Runtime, args: readonly string[]): Promise<number> {
  const { values } = parseFlags(
    args,
    { json: { type: 'boolean' } },
    { min: 0, max: 0, usage: 'keys list [--json]' },
  )
  const keys = await openKeys(db).list()
  if (values.json) print(JSON.stringify(keys))
  else {
    print(
      table(
        ['id', 'name', 'territories', 'created', 'expires', 'revoked'],
        keys.map((key) => [
          key.id,
          key.name,
          key.territories?.join(',') ?? 'all',
          key.created_at,
          key.expires_at ?? '',
          key.revoked_at ?? '',
        ]),
      ),
    )
  }
  return 0
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

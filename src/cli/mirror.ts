import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, openClient } from '../../client/client.ts'
import type { Copy } from '../../client/copy.ts'
import { RegistryReplaced } from '../../client/feed.ts'
import { type Mirror, openMirror, type Verified } from '../../client/mirror.ts'
import { openNdjsonCopy } from '../../client/ndjson-copy.ts'
import { openSqliteCopy } from '../../client/sqlite-copy.ts'
import { OperatorError } from '../domain/problem.ts'
import { isTerritoryCode } from '../domain/territory.ts'
import { listFlag, parseFlags } from './arguments.ts'
import { progressBar } from './mirror-progress.ts'
import { print, say } from './output.ts'
import { untilAskedToStop } from './stopping.ts'

export const MIRROR_HELP = `mirror --url URL (--key KEY | --key-file FILE) --out FILE [--territories A,B] [--follow] [--json]

Keeps a copy of a registry over its API: takes whole territories over, follows the changes, compares by digest.
FILE is a SQLite database, or one JSON record a line when it ends in .ndjson. Interrupted at any moment it goes on
where it was. Without --follow it ends when the copy is equal to the service; with it, on Ctrl-C.
Exit code: 0 the copy is equal, 1 it is not or the service refused.`

const WAIT_SECONDS = 50
const VERIFY_EVERY_MS = 15 * 60_000
const RETRY_MS = 5_000
/** A territory that differed was taken over anew; it must be equal now. */
const VERIFY_TRIES = 3

/** Works over HTTP alone: no Elasticsearch is needed. */
export async function mirrorCommand(args: readonly string[]): Promise<number> {
  const flags = await readFlags(args)
  const stopping = new AbortController()
  void untilAskedToStop().then(() => stopping.abort())
  const bar = progressBar()
  const copy = openCopy(flags.out)
  const client = openClient({ url: flags.url, key: flags.key, signal: stopping.signal })
  const mirror = openMirror(client, copy, {
    ...(flags.territories ? { territories: flags.territories } : {}),
    signal: stopping.signal,
    onProgress: bar.show,
  })
  try {
    const verified = await settle(mirror)
    bar.clear()
    show(verified, flags)
    if (flags.follow) await follow(mirror, stopping.signal)
    return verified.every(({ isEqual }) => isEqual) ? 0 : 1
  } catch (cause) {
    bar.clear()
    if (stopping.signal.aborted) return 0
    throw asOperatorError(cause)
  } finally {
    copy.close()
  }
}

interface Flags {
  url: string
  key: string
  out: string
  territories: string[] | undefined
  follow: boolean
  json: boolean
}

async function readFlags(args: readonly string[]): Promise<Flags> {
  const { values } = parseFlags(
    args,
    {
      url: { type: 'string' },
      key: { type: 'string' },
      'key-file': { type: 'string' },
      out: { type: 'string' },
      territories: { type: 'string' },
      follow: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    { min: 0, max: 0, usage: MIRROR_HELP.split('\n')[0] as string },
  )
  if (!values.url || !/^https?:\/\//.test(values.url)) {
    throw new OperatorError(
      'mirror: --url is needed: where the service is, such as http://127.0.0.1:3000.',
    )
  }
  if (!values.out) throw new OperatorError('mirror: --out is needed: the file to keep the copy in.')
  const territories = listFlag(values.territories)
  const wrong = territories?.find((code) => !isTerritoryCode(code))
  if (wrong !== undefined) {
    throw new OperatorError(
      `--territories ${wrong}: expected codes of the form ES-XX, separated by commas.`,
    )
  }
  const key = values.key ?? (await keyIn(values['key-file']))
  const { follow = false, json = false } = values
  return { url: values.url, key, out: values.out, territories, follow, json }
}

async function keyIn(file: string | undefined): Promise<string> {
  if (file === undefined) throw new OperatorError('mirror: --key or --key-file is needed.')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new OperatorError(`--key-file ${file} cannot be read.`, cause)
  }
}

function openCopy(file: string): Copy {
  return file.endsWith('.ndjson') ? openNdjsonCopy(file) : openSqliteCopy(file)
}

/** Catches up and compares, until nothing differs or it is tried often enough. */
async function settle(mirror: Mirror): Promise<Verified[]> {
  let verified: Verified[] = []
  for (let tries = 0; tries < VERIFY_TRIES; tries += 1) {
    await mirror.catchUp()
    verified = await mirror.verify()
    if (verified.every(({ isEqual }) => isEqual)) return verified
    const differ = verified.filter(({ isEqual }) => !isEqual)
    say(`Taken over anew, for it differed: ${differ.map((one) => one.territory_code).join(', ')}`)
  }
  return verified
}

/** Follows until asked to stop. A service that is away is waited for; a refusal that will not pass ends it. */
async function follow(mirror: Mirror, signal: AbortSignal): Promise<void> {
  let verifiedAt = Date.now()
  while (!signal.aborted) {
    await patiently(signal, async () => {
      await mirror.follow(WAIT_SECONDS)
      if (Date.now() - verifiedAt < VERIFY_EVERY_MS) return
      await settle(mirror)
      verifiedAt = Date.now()
    })
  }
}

async function patiently(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    if (signal.aborted) return
    if (isFinal(cause)) throw cause
    say(`${cause instanceof Error ? cause.message : String(cause)}; trying again…`)
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
}

function isFinal(cause: unknown): boolean {
  return cause instanceof RegistryReplaced || (cause instanceof ApiError && cause.status < 429)
}

function show(verified: readonly Verified[], { json }: Flags): void {
  for (const one of verified) {
    if (json) print(JSON.stringify(one))
    else {
      print(
        `${one.territory_code}  ${one.count} records  ${one.digest}  ${one.isEqual ? 'equal' : 'DIFFERS'}`,
      )
    }
  }
}

function asOperatorError(cause: unknown): unknown {
  if (cause instanceof ApiError || cause instanceof RegistryReplaced) {
    return new OperatorError(`mirror: ${cause.message}`, cause)
  }
  // What fetch throws when nobody answers.
  if (cause instanceof TypeError) {
    return new OperatorError('mirror: the service at --url does not answer.', cause)
  }
  return cause
}

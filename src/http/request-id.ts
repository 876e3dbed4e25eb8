import { randomBytes } from 'node:crypto'
import { KEY_LIKE } from './validate.ts'

/** The caller's X-Request-Id when it is sane (and not a key put in the wrong place), else a fresh one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  if (typeof sent !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(sent))
    return freshRequestId()
  return KEY_LIKE.test(sent) ? freshRequestId() : sent
}

/** Random per process and counted within it: unique without asking for randomness on every request. */
const PROCESS = randomBytes(9).toString('hex')
let count = 0

export function freshRequestId(): string {
  count += 1
  return `${PROCESS}-${count.toString(36)}`
}

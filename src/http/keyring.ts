import { timingSafeEqual } from 'node:crypto'
import { instantOf } from '../domain/time.ts'
import { hashOfKey, idOfKey } from '../store/api-key.ts'
import type { KeyStore, StoredKey } from '../store/keys.ts'
import { boundedMap } from './bounded-map.ts'
import type { Principal } from './endpoint.ts'

/** Keys as one process knows them. */
export interface Keyring {
  /** the caller behind a presented key; null when it is no key, unknown, wrong, expired or revoked */
  authenticate(presented: string): Promise<Principal | null>
  /** whether this very key was good when last looked at; asks nobody */
  remembers(presented: string): boolean
}

/** How old what we know of a key may be: with it, a revocation is effective within 5 s on every process. */
const MAX_AGE_MS = 3_000
const TOUCH_EVERY_MS = 60_000
const MAX_KEYS = 10_000

interface Known {
  key: StoredKey | null
  /** when the read began, so that age is never understated */
  at: number
}

export function createKeyring(
  keys: KeyStore,
  options: { now: () => number; onTouchFailed?: (cause: unknown) => void },
): Keyring {
  const good = boundedMap<string, Known>(MAX_KEYS)
  // Apart, so that a flood of made-up ids never pushes real keys out.
  const unknown = boundedMap<string, Known>(MAX_KEYS)
  const pending = new Map<string, Promise<StoredKey | null>>()
  const touched = boundedMap<string, number>(MAX_KEYS)

  async function know(id: string): Promise<StoredKey | null> {
    const known = good.get(id) ?? unknown.get(id)
    // The distance, so that a clock that was set back makes nothing immortal.
    if (known && Math.abs(options.now() - known.at) < MAX_AGE_MS) return known.key
    const running = pending.get(id)
    if (running !== undefined) return running
    const reading = read(id).finally(() => pending.delete(id))
    pending.set(id, reading)
    return reading
  }

  async function read(id: string): Promise<StoredKey | null> {
    const at = options.now()
    const key = await keys.read(id)
    const known = { key, at }
    if (key) {
      good.set(id, known)
      unknown.delete(id)
    } else {
      unknown.set(id, known)
      good.delete(id)
    }
    return key
  }

  function touch(id: string): void {
    const nowMs = options.now()
    if (nowMs - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return
    touched.set(id, nowMs)
    keys.touch(id, instantOf(nowMs)).catch((cause) => options.onTouchFailed?.(cause))
  }

  return {
    async authenticate(presented) {
      const id = idOfKey(presented)
      if (id === null) return null
      const key = await know(id)
      if (!key || !matches(presented, key) || !isUsable(key, options.now())) return null
      touch(id)
      return principalOf(key)
    },
    remembers(presented) {
      const id = idOfKey(presented)
      const key = id === null ? undefined : good.get(id)?.key
      return key ? matches(presented, key) && isUsable(key, options.now()) : false
    },
  }
}

function matches(presented: string, key: StoredKey): boolean {
  return timingSafeEqual(Buffer.from(hashOfKey(presented)), Buffer.from(key.hash))
}

function isUsable(key: StoredKey, nowMs: number): boolean {
  const ends = endOf(key)
  return key.revoked_at === null && (ends === null || Date.parse(ends) > nowMs)
}

/** A rotated key ends with its grace period, unless it expires before that. */
function endOf(key: StoredKey): string | null {
  if (key.valid_until === null) return key.expires_at
  if (key.expires_at === null) return key.valid_until
  return [key.valid_until, key.expires_at].sort()[0] ?? null
}

function principalOf(key: StoredKey): Principal {
  return {
    keyId: key.id,
    name: key.name,
    scope: key.territories ?? 'all',
    expiresAt: endOf(key),
  }
}

import type { ByteText } from '../domain/byte-text.ts'

/** A JSON object with a list of items that are JSON already, between its other members; these must be ASCII. */
export function listBody(before: object, items: readonly ByteText[], after: object): Buffer {
  const head = JSON.stringify(before).slice(0, -1)
  const comma = head.length > 1 ? ',' : ''
  const text = `${head}${comma}"items":[${items.join(',')}],${JSON.stringify(after).slice(1)}`
  return Buffer.from(text, 'latin1')
}

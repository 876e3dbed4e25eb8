export type ContentCoding = 'br' | 'gzip'

/**
 * The best content coding a client accepts among those at hand (RFC 9110 section 12.5.3); null is none, which
 * is also the answer to a client that says nothing: it may not know how to unpack.
 */
export function chooseCoding(
  acceptEncoding: string | undefined,
  available: readonly ContentCoding[],
): ContentCoding | null {
  if (acceptEncoding === undefined || acceptEncoding === '') return null
  const accepted = weights(acceptEncoding)
  const identity = accepted.get('identity') ?? 0
  let best: { coding: ContentCoding; weight: number } | null = null
  for (const coding of available) {
    const weight = accepted.get(coding) ?? accepted.get('*') ?? 0
    if (weight > 0 && weight >= identity && (!best || weight > best.weight)) {
      best = { coding, weight }
    }
  }
  return best?.coding ?? null
}

function weights(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((element) => {
      const [coding = '', ...parameters] = element
        .split(';')
        .map((part) => part.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      const weight = q === undefined ? 1 : Number(q.slice(2))
      return [coding === 'x-gzip' ? 'gzip' : coding, Number.isFinite(weight) ? weight : 0]
    }),
  )
}

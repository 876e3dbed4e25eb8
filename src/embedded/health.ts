const ANSWER_LIMIT_MS = 3000

/** The name of the cluster that answers at `url` and can serve, or undefined while none does. */
export async function clusterNameAt(url: string): Promise<string | undefined> {
  try {
    const { origin, username, password } = new URL(url)
    const answer = await fetch(`${origin}/_cluster/health?wait_for_status=yellow&timeout=1s`, {
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      headers: username
        ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
        : {},
    })
    if (!answer.ok) return undefined
    const health: unknown = await answer.json()
    return typeof health === 'object' && health !== null && 'cluster_name' in health
      ? String(health.cluster_name)
      : undefined
  } catch {
    return undefined // nobody listens, or it is not ready: the caller asks again or goes on
  }
}

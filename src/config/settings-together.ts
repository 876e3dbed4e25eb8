type Environment = Readonly<Record<string, string | undefined>>

const NO_CREDENTIALS = ': the embedded node takes no credentials'
/** Settings that mean nothing without another one. */
const NEEDED: readonly (readonly [name: string, needed: string, why: string])[] = [
  ['ELASTICSEARCH_API_KEY', 'ELASTICSEARCH_URL', NO_CREDENTIALS],
  ['ELASTICSEARCH_USERNAME', 'ELASTICSEARCH_URL', NO_CREDENTIALS],
  ['ELASTICSEARCH_CA', 'ELASTICSEARCH_URL', NO_CREDENTIALS],
  ['ALERT_WEBHOOK_SECRET', 'ALERT_WEBHOOK_URL', ''],
]

/** Settings that are fine alone and make no sense together. */
export function contradictions(env: Environment): string[] {
  const faults: string[] = []
  const has = (name: string) => env[name] !== undefined
  if (has('ELASTICSEARCH_USERNAME') !== has('ELASTICSEARCH_PASSWORD')) {
    faults.push(
      'ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD go together: set both or neither.',
    )
  }
  if (has('ELASTICSEARCH_API_KEY') && has('ELASTICSEARCH_USERNAME')) {
    faults.push('ELASTICSEARCH_API_KEY and ELASTICSEARCH_USERNAME exclude each other: set one.')
  }
  for (const [name, needed, why] of NEEDED) {
    if (has(name) && !has(needed)) faults.push(`${name} needs ${needed}${why}.`)
  }
  if (has('METRICS_PORT') && env.METRICS_PORT === (env.PORT ?? '3000')) {
    faults.push('METRICS_PORT must differ from PORT.')
  }
  return faults
}

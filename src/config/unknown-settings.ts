import { editDistance } from '../domain/nearest.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables with these beginnings are meant for this program. */
const FAMILIES = /^(ALERT_WEBHOOK|ELASTICSEARCH|EXPORT|INDEX|METRICS|RATE_LIMIT|SOURCES)_/
/** What Kubernetes and Docker links set for a service that happens to be called elasticsearch, metrics… */
const SERVICE_LINK = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)$/
const SERVICE_ADDRESS = /^(tcp|udp):\/\//
/** HOST and PORT are so short that a slip makes some other program's variable. */
const SHORTEST_GUESSED = 5
const LONG = 11

/**
 * One line for each name that is clearly meant for this program without being a setting: those of our families, and
 * those that are a slip away from a setting. Everything else in the environment is the machine's own business.
 */
export function unknownSettings(env: Environment, settings: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const meant = closest(name, settings)
      const isOurs = FAMILIES.test(name) && !isServiceLink(name, env[name] ?? '')
      if (!isOurs && !meant) return []
      return [`${name} is not a setting${meant ? `; did you mean ${meant}?` : '.'}`]
    })
}

function isServiceLink(name: string, value: string): boolean {
  return SERVICE_LINK.test(name) || (name.endsWith('_PORT') && SERVICE_ADDRESS.test(value))
}

/** One slip makes a name ours, in the longest names two; the first letter is rarely the wrong one. */
function closest(name: string, settings: readonly string[]): string | undefined {
  const wanted = name.toUpperCase()
  return settings
    .filter((setting) => setting.length >= SHORTEST_GUESSED && setting[0] === wanted[0])
    .map((setting) => ({ setting, distance: editDistance(wanted, setting) }))
    .filter(({ setting, distance }) => distance <= (setting.length >= LONG ? 2 : 1))
    .sort((a, b) => a.distance - b.distance)[0]?.setting
}

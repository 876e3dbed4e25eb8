import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const ARGUMENTS = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium refuses its sandbox to root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/**
 * Where Chromium is; installed from Debian when there is none and we are root in CI. Null, with the reason said, on a
 * machine that has none; an error in CI, where nothing may be skipped.
 */
export function findChromium(env: NodeJS.ProcessEnv): string | null {
  const named = env.CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM names ${named}, which is not there`)
  }
  const found = firstPlace() ?? (isCi(env) ? install() : undefined)
  if (found) return found
  const told =
    'Chromium is not installed: the browser tests are skipped. Install it (Debian: apt-get install chromium), or name it in CHROMIUM.'
  if (isCi(env)) throw new Error(told)
  process.stderr.write(`${told}\n`)
  return null
}

function firstPlace(): string | undefined {
  return PLACES.find((place) => existsSync(place))
}

function isCi({ CI }: NodeJS.ProcessEnv): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false'
}

function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  process.stderr.write('Installing Chromium (apt-get)…\n')
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', step, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) throw new Error(`apt-get ${step.join(' ')} failed`)
  }
  return firstPlace()
}

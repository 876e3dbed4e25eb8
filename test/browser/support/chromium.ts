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

/** A mirror that is being updated or a lock that is held is gone a moment later. */
const ATTEMPTS = 4
const PAUSE_MS = 15_000

function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  process.stderr.write('Installing Chromium (apt-get)…\n')
  for (let attempt = 1; !isInstalled(); attempt++) {
    if (attempt === ATTEMPTS) throw new Error('apt-get could not install Chromium; see above')
    process.stderr.write(`apt-get failed; again in ${PAUSE_MS / 1000} s\n`)
    pause(PAUSE_MS)
  }
  return firstPlace()
}

/** The lists of packages may be old or absent, so they are fetched first. */
function isInstalled(): boolean {
  const options = ['-q', '-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=120']
  const steps = [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]
  return steps.every((step) => {
    const { status } = spawnSync('apt-get', [...options, ...step], {
      // The standard output belongs to the tests.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    return status === 0
  })
}

/** The set-up has nothing else to do meanwhile. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

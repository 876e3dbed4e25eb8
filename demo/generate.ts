import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DAY_MS, type Instant, instantOf } from '../src/domain/time.ts'
import { tellStory } from './history.ts'
import { seededRandom } from './random.ts'
import { REGISTERS, type Register } from './registers.ts'

export interface DemoSnapshot {
  slug: string
  /** absolute path when the folder given was absolute */
  file: string
  observed_at: Instant
}

/** What was written, and the order to load it in. */
export interface DemoPlan {
  /** the folder of the definitions, to be used as SOURCES_DIR */
  sourcesDir: string
  snapshots: readonly DemoSnapshot[]
}

/**
 * Days before the newest snapshot at which the registers were looked at: about every month for a year, and twice in
 * the last ten days. The newest is of yesterday, so a newcomer finds something in every window, the shortest included.
 */
const DAYS_BEFORE = [365, 335, 304, 274, 243, 213, 182, 152, 121, 91, 60, 30, 9, 0]
const FETCH_HOUR_MS = 5 * 3_600_000
const MINUTE_MS = 60_000

/**
 * Writes about a year of invented registers below `dir`: definitions in `sources/`, dated snapshots in `snapshots/`.
 * The same seed gives the same bytes in every snapshot; only their dates follow `now`.
 */
export async function generateDemo(
  dir: string,
  { now, seed }: { now: Instant; seed: number },
): Promise<DemoPlan> {
  const sourcesDir = join(dir, 'sources')
  await mkdir(sourcesDir, { recursive: true })
  const written = await Promise.all(
    REGISTERS.map(async (register, index) => {
      const snapshots = await writeSnapshots(dir, register, { now, seed: seed + index })
      await writeDefinition(sourcesDir, register.slug, snapshots.at(-1)?.file ?? '')
      return snapshots
    }),
  )
  const snapshots = written.flat().sort((a, b) => (a.observed_at < b.observed_at ? -1 : 1))
  return { sourcesDir, snapshots }
}

const DEFINITIONS = join(import.meta.dirname, 'definitions')

/** The definition as it stands here, reading the newest snapshot: a loader that runs on finds it unchanged. */
async function writeDefinition(sourcesDir: string, slug: string, latest: string): Promise<void> {
  const definition = await readFile(join(DEFINITIONS, `${slug}.yaml`), 'utf8')
  const path = relative(sourcesDir, latest)
  await writeFile(join(sourcesDir, `${slug}.yaml`), definition.replace('{latest}', path))
}

async function writeSnapshots(
  dir: string,
  register: Register,
  { now, seed }: { now: Instant; seed: number },
): Promise<DemoSnapshot[]> {
  const folder = join(dir, 'snapshots', register.slug)
  await mkdir(folder, { recursive: true })
  const moments = tellStory(register.story, {
    count: DAYS_BEFORE.length,
    random: seededRandom(seed),
  })
  const instants = DAYS_BEFORE.map((days) => fetchedAt(now, days, register))
  return Promise.all(
    moments.map(async (pharmacies, step) => {
      const observed_at = instants[step] ?? now
      const file = join(folder, `${observed_at.slice(0, 10)}.${register.extension}`)
      await writeFile(file, register.write(pharmacies))
      return { slug: register.slug, file, observed_at }
    }),
  )
}

/** The register's minute after 05:00 UTC, `days` before yesterday. */
function fetchedAt(now: Instant, days: number, { minute }: Register): Instant {
  const today = Math.floor(Date.parse(now) / DAY_MS) * DAY_MS
  return instantOf(today - (days + 1) * DAY_MS + FETCH_HOUR_MS + minute * MINUTE_MS)
}

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { OperatorError } from './domain/problem.ts'
import type { StaticMount } from './http/static.ts'

const ROOT = join(import.meta.dirname, '..')
const DASHBOARD = join(ROOT, 'dashboard')
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
/** Beside the built files: of which sources they were made. */
const STAMP = '.stamp'

/** Only what this service itself serves; no inline script or style, no other host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The dashboard at the root of the API, built when it is stale. */
export async function dashboardMount(): Promise<StaticMount> {
  return {
    at: '/',
    directory: await ensureDashboard(),
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    // The build puts a hash of the content into the names of everything but index.html.
    immutableUnder: 'assets/',
  }
}

/**
 * The folder of the built dashboard. It is built when its sources are not those it was built from; where the build
 * tool is not installed (a production image holds the result only) it is taken as it is.
 */
export async function ensureDashboard(): Promise<string> {
  const built = join(DASHBOARD, 'dist')
  if (!existsSync(VITE) && existsSync(join(built, 'index.html'))) return built
  const wanted = await stampOfSources()
  if ((await readStamp(built)) !== wanted) await build(built, wanted)
  return built
}

/** Built aside and moved into place, so that no reader and no second start sees half of it. */
async function build(built: string, stamp: string): Promise<void> {
  const aside = await mkdtemp(join(DASHBOARD, '.build-'))
  try {
    await runVite(aside)
    await writeFile(join(aside, STAMP), stamp)
    // A temporary folder is closed to others; an image may run as another user than it was built by.
    await chmod(aside, 0o755)
    await rm(built, { recursive: true, force: true })
    await rename(aside, built)
  } catch (cause) {
    // Another start may have been faster.
    if ((await readStamp(built)) !== stamp) throw cause
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

async function runVite(outDir: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [VITE, 'build', DASHBOARD, '--outDir', outDir, '--logLevel', 'warn'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let told = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      told += chunk.toString()
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new OperatorError(`The dashboard could not be built: ${told.trim()}`)
}

async function readStamp(built: string): Promise<string | null> {
  const file = join(built, STAMP)
  return existsSync(file) ? readFile(file, 'utf8') : null
}

/** A hash of everything the build reads: the dashboard's files, the vocabulary it shares, the packages. */
async function stampOfSources(): Promise<string> {
  const folders = [DASHBOARD, join(ROOT, 'src', 'domain')]
  const files = (await Promise.all(folders.map(filesUnder))).flat()
  const hash = createHash('sha256')
  for (const file of [...files, join(ROOT, 'package-lock.json')].sort()) {
    hash.update(`${relative(ROOT, file)}\0`).update(await readFile(file))
  }
  return hash.digest('hex')
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/^(dist|\.build-)/.test(relative(DASHBOARD, file)))
}

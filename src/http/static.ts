import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Answer } from './endpoint.ts'

/** A folder of files served without a key: the dashboard, the documentation page. */
export interface StaticMount {
  /** where it appears, `/` or `/docs` */
  at: string
  directory: string
  /** only these files of it, by their path inside */
  only?: readonly string[]
  /** what its pages may load; by default only what this service itself serves */
  contentSecurityPolicy?: string
  /** files under this folder carry a hash of their content in their name: browsers keep them for good */
  immutableUnder?: string
}

export interface StaticFile {
  path: string
  answer: Extract<Answer, { kind: 'text' }>
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.geojson': 'application/geo+json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.map': 'application/json',
}

const PAGE_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; " +
  "worker-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** A year, the longest that caches honour. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * Reads a folder once, at start: a request only ever names one of these files, so no path can lead out of it.
 * An index.html also answers for its folder.
 */
export function readStatic(mount: StaticMount): StaticFile[] {
  const base = mount.at.replace(/\/+$/, '')
  return readdirSync(mount.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, name: relative(mount.directory, file).split(sep).join('/') }))
    .filter(({ name }) => mount.only?.includes(name) ?? true)
    .flatMap(({ file, name }) => {
      const answer = fileAnswer(file, {
        'Content-Security-Policy': mount.contentSecurityPolicy ?? PAGE_SECURITY_POLICY,
        ...(isImmutable(mount, name) ? { 'Cache-Control': IMMUTABLE } : {}),
      })
      return addressesOf(`${base}/${name}`).map((path) => ({ path, answer }))
    })
}

function addressesOf(path: string): string[] {
  if (!path.endsWith('/index.html')) return [path]
  const folder = path.slice(0, -'/index.html'.length)
  return folder === '' ? [path, '/'] : [path, folder, `${folder}/`]
}

function isImmutable({ immutableUnder }: StaticMount, name: string): boolean {
  return immutableUnder !== undefined && name.startsWith(immutableUnder)
}

function fileAnswer(file: string, headers: Record<string, string>): StaticFile['answer'] {
  const body = readFileSync(file)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return {
    kind: 'text',
    contentType: CONTENT_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
    body,
    tag: { value: hash, weak: false },
    headers,
  }
}

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Answer } from './endpoint.ts'

/** A folder of files served without a key: the dashboard, the documentation page. */
export interface StaticMount {
  /** where it appears, `/` or `/docs` */
  at: string
  directory: string
  /** what its pages may load; by default only what this service itself serves */
  contentSecurityPolicy?: string
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

/**
 * Reads a folder once, at start: a request only ever names one of these files, so no path can lead out of it.
 * An index.html also answers for its folder.
 */
export function readStatic(mount: StaticMount): StaticFile[] {
  const base = mount.at.replace(/\/+$/, '')
  return readdirSync(mount.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name)
      const name = relative(mount.directory, file).split(sep).join('/')
      const answer = fileAnswer(file, mount.contentSecurityPolicy ?? PAGE_SECURITY_POLICY)
      return addressesOf(`${base}/${name}`).map((path) => ({ path, answer }))
    })
}

function addressesOf(path: string): string[] {
  if (!path.endsWith('/index.html')) return [path]
  const folder = path.slice(0, -'/index.html'.length)
  return folder === '' ? [path, '/'] : [path, folder, `${folder}/`]
}

function fileAnswer(file: string, contentSecurityPolicy: string): StaticFile['answer'] {
  const body = readFileSync(file)
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return {
    kind: 'text',
    contentType: CONTENT_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
    body,
    tag: { value: hash, weak: false },
    headers: { 'Content-Security-Policy': contentSecurityPolicy },
  }
}

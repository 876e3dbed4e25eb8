import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestRegistry, type Serving, sendRaw, serve } from './serving.ts'

let folder: string
let serving: Serving
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-static-'))
  mkdirSync(join(folder, 'panel', 'assets'), { recursive: true })
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'panel', 'index.html'), '<!doctype html><title>Panel</title>')
  writeFileSync(join(folder, 'panel', '.hidden'), 'hidden')
  writeFileSync(join(folder, 'panel', 'assets', 'app ñ.js'), 'export {}')
  writeFileSync(join(folder, 'docs', 'index.html'), '<title>Docs</title>')
  serving = await serve(await openTestRegistry(), [], {
    static: [
      { at: '/', directory: join(folder, 'panel') },
      { at: '/docs', directory: join(folder, 'docs'), contentSecurityPolicy: "default-src 'self'" },
    ],
  })
})
afterAll(async () => {
  await serving.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, init?: RequestInit) => fetch(`${serving.url}${path}`, init)

describe('files', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', '<!doctype html><title>Panel</title>'],
    ['/?utm=1&utm=2', 'text/html; charset=utf-8', '<!doctype html><title>Panel</title>'],
    ['/index.html', 'text/html; charset=utf-8', '<!doctype html><title>Panel</title>'],
    ['/assets/app%20%C3%B1.js', 'text/javascript; charset=utf-8', 'export {}'],
    ['/docs', 'text/html; charset=utf-8', '<title>Docs</title>'],
    ['/docs/', 'text/html; charset=utf-8', '<title>Docs</title>'],
  ])('%s is served without a key', async (path, contentType, text) => {
    const response = await ask(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toBe(text)
  })

  test('a page may load from here only, or what its mount says; 304 when unchanged', async () => {
    const panel = await ask('/')
    expect(panel.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect((await ask('/docs')).headers.get('content-security-policy')).toBe("default-src 'self'")
    const etag = panel.headers.get('etag') ?? ''
    expect((await ask('/', { headers: { 'If-None-Match': etag } })).status).toBe(304)
    expect((await ask('/', { method: 'POST' })).status).toBe(405)
  })

  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/.hidden',
    '/assets',
    '/docs/../../secret.txt',
  ])('%s leads nowhere', async (path) => {
    const raw = await sendRaw(
      serving.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(raw).toMatch(/^HTTP\/1.1 404 /)
  })

  test('/openapi.json is open and tagged', async () => {
    const response = await ask('/openapi.json')
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json',
    ])
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' })
    const etag = response.headers.get('etag') ?? ''
    expect((await ask('/openapi.json', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })
})

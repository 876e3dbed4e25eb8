import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs')

/** One breach of each rule: the file that commits it, what it says, and further files it needs. */
const BREACHES: Record<string, { file: string; line: string; needs?: Record<string, string> }> = {
  'domain-imports-only-itself': { file: 'src/domain/a.ts', line: "import '../log.ts'" },
  'sources-imports-only-itself-domain-log': {
    file: 'src/sources/a.ts',
    line: "import '../store/x.ts'",
  },
  'delta-imports-only-itself-domain': { file: 'src/delta/a.ts', line: "import '../log.ts'" },
  'store-imports-only-itself-domain-log': {
    file: 'src/store/a.ts',
    line: "import '../delta/x.ts'",
  },
  'verify-imports-only-itself-domain-delta-store-log': {
    file: 'src/verify/a.ts',
    line: "import '../load/x.ts'",
  },
  'load-imports-only-itself-domain-sources-delta-store-log': {
    file: 'src/load/a.ts',
    line: "import '../http/x.ts'",
  },
  'http-imports-only-itself-domain-store-log': {
    file: 'src/http/a.ts',
    line: "import '../load/x.ts'",
  },
  'embedded-imports-only-itself-domain-log': {
    file: 'src/embedded/a.ts',
    line: "import '../store/x.ts'",
  },
  'only-its-owner-imports--elastic-elasticsearch': {
    file: 'src/load/b.ts',
    line: "import { Client } from '@elastic/elasticsearch'\nexport const client = new Client()",
  },
  'only-its-owner-imports-restify': { file: 'src/http/b.ts', line: "import 'restify'" },
  'only-its-owner-imports-csv-writer': { file: 'src/http/c.ts', line: "import 'csv-writer'" },
  'only-its-owner-imports-node-cron': { file: 'src/load/c.ts', line: "import 'node-cron'" },
  'only-its-owner-imports-proj4': { file: 'src/delta/b.ts', line: "import 'proj4'" },
  'only-its-owner-imports-pino': { file: 'src/store/b.ts', line: "import 'pino'" },
  'only-its-owner-imports-testcontainers': {
    file: 'src/embedded/b.ts',
    line: "import 'testcontainers'",
  },
  'only-its-owner-imports--papaparse-streamparser-json-sax-yauzl-iconv-lite-html-entities-yaml-': {
    file: 'src/load/d.ts',
    line: "import 'yaml'",
  },
  'metrics-imports-only-itself-domain-store-log': {
    file: 'src/metrics/a.ts',
    line: "import '../load/x.ts'",
  },
  'only-its-owner-imports-prom-client': { file: 'src/load/f.ts', line: "import 'prom-client'" },
  'only-its-owner-imports--opentelemetry-api-sdk-node-': {
    file: 'src/load/g.ts',
    line: "import '@opentelemetry/api'",
  },
  'only-its-owner-imports-typebox': { file: 'src/store/c.ts', line: "import 'typebox'" },
  'domain-touches-nothing': { file: 'src/domain/b.ts', line: "import 'node:fs'" },
  'delta-touches-nothing': { file: 'src/delta/c.ts', line: "import 'node:crypto'" },
  'content-hash-only-hashes': { file: 'src/delta/content-hash.ts', line: "import 'node:fs'" },
  'queries-are-pure': {
    file: 'src/store/event-queries.ts',
    line: "import { x } from './x.ts'\nexport const y = x",
  },
  'endpoints-stand-alone': {
    file: 'src/http/endpoints/a.ts',
    line: "import './b.ts'",
    needs: { 'src/http/endpoints/b.ts': '' },
  },
  'nobody-imports-the-programs': { file: 'demo/a.ts', line: "import '../src/cli.ts'" },
  'config-imports-only-itself-domain': {
    file: 'src/config/a.ts',
    line: "import '../store/x.ts'",
  },
  'configuration-arrives-as-an-argument': {
    file: 'src/load/e.ts',
    line: "import '../config/read-config.ts'",
  },
  'src-knows-nothing-of-tests-and-documents': {
    file: 'src/cli/a.ts',
    line: "import '../../test/x.ts'",
  },
  'no-cycles': {
    file: 'src/domain/c.ts',
    line: "import { d } from './d.ts'\nexport const c = d",
    needs: { 'src/domain/d.ts': "import { c } from './c.ts'\nexport const d = c" },
  },
  'everything-resolves': { file: 'src/sources/b.ts', line: "import './nowhere.ts'" },
}

const PACKAGES = [
  '@elastic/elasticsearch',
  'restify',
  'csv-writer',
  'node-cron',
  'proj4',
  'pino',
  'testcontainers',
  'prom-client',
  '@opentelemetry/api',
  'yaml',
  'typebox',
]
const STANDING = [
  'src/log.ts',
  'src/cli.ts',
  'src/config/read-config.ts',
  'src/store/x.ts',
  'src/delta/x.ts',
  'src/load/x.ts',
  'src/http/x.ts',
  'test/x.ts',
]

const planted = realpathSync(mkdtempSync(join(tmpdir(), 'architecture-')))

beforeAll(() => {
  put('tsconfig.json', '{}')
  for (const name of PACKAGES) {
    put(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    )
    put(`node_modules/${name}/index.js`, 'exports.Client = class {}')
  }
  for (const file of STANDING) put(file, 'export const x = 1')
  for (const { file, line, needs } of Object.values(BREACHES)) {
    put(file, line)
    for (const [needed, text] of Object.entries(needs ?? {})) put(needed, text)
  }
})

afterAll(() => rmSync(planted, { recursive: true, force: true }))

function put(file: string, text: string): void {
  mkdirSync(dirname(join(planted, file)), { recursive: true })
  writeFileSync(join(planted, file), text)
}

async function cruised(baseDir: string, folders: string[]): Promise<ICruiseResult> {
  const { enhancedResolveOptions, ...rest } = options
  const { output } = await cruise(
    folders,
    {
      ...rest,
      tsConfig: { fileName: join(baseDir, 'tsconfig.json') },
      baseDir,
      validate: true,
      ruleSet: { forbidden },
      enhancedResolveOptions,
    },
    {
      conditionNames: enhancedResolveOptions?.conditionNames,
      exportsFields: enhancedResolveOptions?.exportsFields,
    },
  )
  if (typeof output === 'string') throw new Error(output)
  return output
}

// A tool that understands nothing reports no violations either.
test('the real tree is seen, and it keeps the rules', async () => {
  const { modules, summary } = await cruised(ROOT, ['src'])
  expect(modules.filter(({ source }) => source.startsWith('src/')).length).toBeGreaterThan(40)
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual(
    [],
  )
})

test('a breach of each rule is caught, in the file that commits it', async () => {
  const { summary } = await cruised(planted, ['src', 'demo'])
  const caught = new Map<string, string[]>(
    forbidden.map(({ name }: { name: string }) => [name, []]),
  )
  for (const { rule, from } of summary.violations)
    caught.set(rule.name, [...(caught.get(rule.name) ?? []), from])
  for (const [name, { file }] of Object.entries(BREACHES))
    expect(caught.get(name), name).toContain(file)
  expect([...caught.keys()].sort()).toEqual(Object.keys(BREACHES).sort())
})

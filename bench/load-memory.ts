import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../src/store/client.ts'
import { workbookOf } from '../test/support/workbook.ts'

/**
 * Peak memory of whole load processes, as the operating system counts it: first loads and reloads of a large table
 * and of a workbook. Needs ELASTICSEARCH_URL; uses indices of its own and removes them.
 *
 *   node bench/load-memory.ts [rows of the table, 1000000 unless given]
 */
const url = process.env.ELASTICSEARCH_URL
if (!url) throw new Error('ELASTICSEARCH_URL must name the cluster to load into.')
const prefix = `bench-memory-${process.pid}`
const tableRows = Number(process.argv[2] ?? 1_000_000)
const WORKBOOK_ROWS = 40_000
const WORKBOOK_TERRITORIES = ['AN', 'AR', 'AS', 'IB', 'CN', 'CB', 'CL', 'CM', 'CT', 'VC']

/** The peak is told by the process itself, on its way out. */
const TELL_PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS+'\\n'))`
const MB = 1024 * 1024
/** Design section 6. */
const limitOf = (records: number) => 200 * MB + 150 * records

const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-bench-'))
try {
  await mkdir(join(folder, 'sources'))
  await writeTable(join(folder, 'first.csv'), 0)
  await writeTable(join(folder, 'second.csv'), 500)
  await writeFile(join(folder, 'first.xlsx'), workbookOf(workbookRows(0)))
  await writeFile(join(folder, 'second.xlsx'), workbookOf(workbookRows(500)))
  await writeFile(join(folder, 'sources/tabla.yaml'), tableDefinition())
  await writeFile(join(folder, 'sources/libro.yaml'), workbookDefinition())
  await measure('tabla', tableRows, ['first.csv', 'second.csv'])
  await measure('libro', WORKBOOK_ROWS, ['first.xlsx', 'second.xlsx'])
} finally {
  await removeIndices()
  await rm(folder, { recursive: true, force: true })
}

async function measure(slug: string, records: number, files: string[]): Promise<void> {
  for (const [at, file] of files.entries()) {
    const started = performance.now()
    const { peak, runs } = await load(slug, file, `2024-0${at + 1}-01T06:00:00Z`)
    const seconds = (performance.now() - started) / 1000
    const wrong = runs.filter(({ status }) => status !== 'committed')
    if (wrong.length > 0) throw new Error(`${file}: ${JSON.stringify(wrong[0])}`)
    const size = (await stat(join(folder, file))).size
    const limit = limitOf(records)
    const changed = runs.reduce((sum, { counts }) => sum + counts.added + counts.updated, 0)
    console.log(
      `${file.padEnd(11)} ${(size / MB).toFixed(0).padStart(4)} MB, ${records} records, ${changed} new or changed: ` +
        `peak ${(peak / MB).toFixed(0)} MB of ${(limit / MB).toFixed(0)} MB${peak > limit ? ', OVER' : ''}, ${seconds.toFixed(1)} s`,
    )
    if (peak > limit) process.exitCode = 1
  }
}

interface Run {
  status: string
  counts: { added: number; updated: number }
}

async function load(
  slug: string,
  file: string,
  observedAt: string,
): Promise<{ peak: number; runs: Run[] }> {
  const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
  const args = ['load', '--sources', join(folder, 'sources'), '--source', slug, '--json']
  const more = ['--file', join(folder, file), '--observed-at', observedAt]
  const child = spawn(process.execPath, ['--import', TELL_PEAK, cli, ...args, ...more], {
    env: {
      ...process.env,
      INDEX_PREFIX: prefix,
      INDEX_REPLICAS: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    texts.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    texts.stderr += chunk
  })
  await once(child, 'close')
  const peak = /^peak (\d+)$/m.exec(texts.stderr)?.[1]
  if (!peak) throw new Error(texts.stderr)
  const lines = texts.stdout.split('\n').filter((line) => line !== '')
  return { peak: Number(peak) * 1024, runs: lines.map((line) => JSON.parse(line) as Run) }
}

/** `moved` of the rows have another address than in the first file. */
async function writeTable(path: string, moved: number): Promise<void> {
  const out = createWriteStream(path)
  out.write('codigo;nombre;via;numero;cp;municipio;provincia;titular;telefono;x;y\n')
  for (let n = 0; n < tableRows; n++) {
    const via = n < moved ? 'Avenida Trasladada' : 'Calle de la Inventada Señora'
    const line = `F${String(n).padStart(9, '0')};Farmacia Inventada ${n};${via};${n % 300};${28_001 + (n % 50)};Villaejemplo de la Sierra ${n % 900};Madrid;Titular Inventado Supuesto ${n};900${String(n).padStart(6, '0')};${430_000 + (n % 20_000)};${4_470_000 + (n % 9_000)}\n`
    if (!out.write(line)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
}

function tableDefinition(): string {
  return `slug: tabla
territory: ES-MD
official: { name: Tabla inventada, url: https://registro.example/ }
schedule: "0 5 * * *"
fetch: { kind: file, path: ../first.csv }
decode: { encoding: utf-8 }
parse: { format: csv, delimiter: ";" }
map:
  external_id: { from: codigo }
  name: { from: nombre }
  address_line: { template: "{via}, {numero}" }
  postal_code: { from: cp }
  city: { from: municipio }
  province: { from: provincia }
  owner_name: { from: [titular] }
  is_active: { const: true }
coordinates: { crs: EPSG:25830, x: x, y: y }
version: 1
`
}

function workbookRows(moved: number): (string | number)[][] {
  const header = ['Tipo\ncentro', 'CCN', 'Nombre', 'Código CA', 'Municipio', 'Vía', 'Número', 'CP']
  const rows = Array.from({ length: WORKBOOK_ROWS }, (_, n) => [
    'E1 - Farmacias',
    String(1_000_000_000 + n),
    `TITULAR INVENTADO ${n}`,
    n % WORKBOOK_TERRITORIES.length,
    `VILLAEJEMPLO ${n % 900}`,
    n < moved ? 'AV TRASLADADA' : `CL FALSA ${n % 5000}`,
    n % 200,
    28_001,
  ])
  return [header, ...rows]
}

function workbookDefinition(): string {
  const codes = WORKBOOK_TERRITORIES.map((code, at) => `    "${at}": ES-${code}`).join('\n')
  return `slug: libro
territory_from:
  column: Código CA
  map:
${codes}
official: { name: Libro inventado, url: https://registro.example/ }
schedule: "0 5 * * *"
fetch: { kind: file, path: ../first.xlsx }
decode: { encoding: utf-8 }
parse: { format: xlsx }
filter: [ { column: Tipo centro, op: starts_with, value: E1 } ]
map:
  external_id: { from: CCN }
  name: { template: "Farmacia {Nombre}" }
  address_line: { template: "{Vía}, {Número}" }
  postal_code: { from: CP }
  city: { from: Municipio }
  owner_name: { from: [Nombre] }
  is_active: { const: true }
coordinates: null
version: 1
`
}

async function removeIndices(): Promise<void> {
  const client = connect({ url: url as string })
  const indices = await client.indices.get({ index: `${prefix}-*` })
  for (const index of Object.keys(indices)) await client.indices.delete({ index })
  for (const name of ['pharmacies', 'events', 'changes', 'runs', 'keys', 'state'])
    await client.indices.deleteIndexTemplate({ name: `${prefix}-${name}` }, { ignore: [404] })
  await client.close()
}

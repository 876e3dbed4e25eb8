import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { buildOpenApi } from '../src/http/openapi.ts'
import { endpoints } from '../src/http/routes.ts'
import { apiPage } from './api-page.ts'
import { clientTypes } from './client-types.ts'
import { configurationPage } from './configuration-page.ts'

/**
 * Writes the documents that follow from the code: `npm run docs`. With --check it writes nothing and fails when one
 * of them differs from what the code says.
 */
const ROOT = join(import.meta.dirname, '..')

const document = buildOpenApi(endpoints)
const openApi = `${JSON.stringify(document, null, 2)}\n`
const files: Record<string, string> = {
  'docs/openapi.json': openApi,
  'docs/api.md': await apiPage(document),
  'docs/configuration.md': configurationPage(),
  'client/api-types.ts': await clientTypes(openApi),
}

process.exitCode = process.argv.includes('--check') ? await check() : await write()

async function write(): Promise<number> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(ROOT, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  console.error(`${Object.keys(files).length} documents written.`)
  return 0
}

async function check(): Promise<number> {
  const drifted: string[] = []
  for (const [name, text] of Object.entries(files)) {
    if ((await textOf(join(ROOT, name))) !== text) drifted.push(name)
  }
  if (drifted.length === 0) return 0
  console.error(`Not what the code says any more: ${drifted.join(', ')}. Run npm run docs.`)
  return 1
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Error(`cannot read ${relative(ROOT, file)}`, { cause })
  }
}

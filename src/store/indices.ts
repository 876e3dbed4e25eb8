import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { errors, type estypes } from '@elastic/elasticsearch'
import { OperatorError } from '../domain/problem.ts'
import { type Db, INDICES, type IndexName, isForbidden, typeOf } from './db.ts'

interface TemplateFile {
  _meta: { version: number }
  settings: Record<string, unknown>
  mappings: estypes.MappingTypeMapping
}

export interface IndexSettings {
  shards: number
  replicas: number
}

const TEMPLATES = new URL('../../index-templates/', import.meta.url)

export async function readTemplate(name: IndexName): Promise<TemplateFile> {
  return JSON.parse(await readFile(new URL(`${name}.json`, TEMPLATES), 'utf8')) as TemplateFile
}

/**
 * Installs the index templates and creates what is missing, then checks that every index has exactly the
 * mapping of its template. Safe to run by several processes at once.
 */
export async function ensureIndices(db: Db, settings: IndexSettings): Promise<void> {
  try {
    await installTemplates(db, settings)
    await Promise.all(INDICES.map((name) => createIfMissing(db, name)))
  } catch (cause) {
    // Who may only read takes what is there; the check below says whether that will do.
    if (!isForbidden(cause)) throw cause
  }
  await checkIndices(db)
}

/** Only new indices take after a template; those that are there keep their mapping until they are migrated. */
export async function installTemplates(db: Db, settings: IndexSettings): Promise<void> {
  await Promise.all(INDICES.map((name) => installTemplate(db, name, settings)))
}

async function installTemplate(db: Db, name: IndexName, settings: IndexSettings): Promise<void> {
  const template = await readTemplate(name)
  await db.client.indices.putIndexTemplate({
    name: db.alias(name),
    index_patterns: [`${db.alias(name)}-*`],
    priority: 500,
    _meta: template._meta,
    template: {
      settings: {
        ...template.settings,
        number_of_shards: isBulky(name) ? settings.shards : 1,
        number_of_replicas: settings.replicas,
      },
      mappings: template.mappings,
    },
  })
}

/** Only these grow with the registers; the rest stays small at any size. */
function isBulky(name: IndexName): boolean {
  return name === 'pharmacies' || name === 'events' || name === 'changes'
}

async function createIfMissing(db: Db, name: IndexName): Promise<void> {
  if (await db.client.indices.existsAlias({ name: db.alias(name) })) return
  try {
    await db.client.indices.create({
      index: `${db.alias(name)}-000001`,
      aliases: { [db.alias(name)]: { is_write_index: true } },
    })
  } catch (cause) {
    // Another process created it between the question and the answer.
    if (typeOf(cause) !== 'resource_already_exists_exception') throw cause
  }
}

/** Refuses a registry whose indices are missing or differ from their templates: never a silent drift. */
export async function checkIndices(db: Db): Promise<void> {
  const faults = await Promise.all(INDICES.map((name) => faultOf(db, name)))
  const found = faults.filter((fault) => fault !== null)
  if (found.length > 0) throw new OperatorError(found.join('\n'))
}

async function faultOf(db: Db, name: IndexName): Promise<string | null> {
  const template = await readTemplate(name)
  let mappings: estypes.IndicesGetMappingResponse
  try {
    mappings = await db.client.indices.getMapping({ index: db.alias(name) })
  } catch (cause) {
    if (cause instanceof errors.ResponseError && cause.statusCode === 404) {
      return `Index ${db.alias(name)} does not exist: start the loader once, it creates what is missing.`
    }
    throw cause
  }
  for (const [index, { mappings: actual }] of Object.entries(mappings)) {
    if (isDeepStrictEqual(comparable(actual), comparable(template.mappings))) continue
    const version = (actual._meta as { version?: number } | undefined)?.version ?? 0
    return (
      `The mapping of ${index} (version ${version}) differs from index-templates/${name}.json ` +
      `(version ${template._meta.version})${difference(actual, template.mappings)}: ` +
      wayOut(version, template._meta.version)
    )
  }
  return null
}

function wayOut(actual: number, wanted: number): string {
  if (actual < wanted) return 'run "npm run -s cli -- migrate", while the API goes on reading.'
  if (actual > wanted) return 'a newer version of this program has made it: use that one.'
  return 'it was changed by hand: restore a backup, or use another INDEX_PREFIX.'
}

/** Elasticsearch answers booleans and objects with defaults filled in as text or left out; compare what both state. */
function comparable(mapping: estypes.MappingTypeMapping): unknown {
  return JSON.parse(
    JSON.stringify(mapping, (key, value) => {
      if (value === 'true') return true
      if (value === 'false') return false
      if (key === 'type' && value === 'object') return undefined
      return value
    }),
  )
}

function difference(
  actual: estypes.MappingTypeMapping,
  wanted: estypes.MappingTypeMapping,
): string {
  const a = actual.properties ?? {}
  const b = wanted.properties ?? {}
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (field) =>
      !isDeepStrictEqual(
        comparable({ properties: { f: a[field] ?? { type: 'alias' } } }),
        comparable({ properties: { f: b[field] ?? { type: 'alias' } } }),
      ),
  )
  return fields.length > 0 ? ` in ${fields.join(', ')}` : ''
}

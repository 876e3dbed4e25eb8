import type { Fetch, Parse, SourceDefinition } from '../domain/definition.ts'
import { regexMistakes } from './field-rule-checks.ts'
import type { ShapeMistake } from './shape.ts'

type FetchOption = Exclude<keyof Fetch, 'kind'>
type ParseOption = Exclude<keyof Parse, 'format'>

const NETWORK: readonly FetchOption[] = ['url', 'headers', 'query', 'ca_file', 'timeout_s', 'retries', 'max_bytes']
const PAGED: readonly FetchOption[] = [...NETWORK, 'page']

/** The options that mean something for each kind of fetch. */
const FETCH_OPTIONS: Record<Fetch['kind'], readonly FetchOption[]> = {
  file: ['path', 'unzip', 'max_bytes'],
  http: [...NETWORK, 'discovery', 'unzip'],
  socrata: PAGED,
  opendatasoft: PAGED,
  ckan: PAGED,
  arcgis: PAGED,
  paged_json: PAGED,
}

const PARSE_OPTIONS: Record<Parse['format'], readonly ParseOption[]> = {
  csv: ['delimiter', 'quote', 'header', 'skip_lines', 'short_rows', 'final_newline'],
  json: ['records_path', 'value_path'],
  geojson: [],
  esri: [],
  xml: ['record_path'],
  xlsx: ['sheet', 'header_row'],
}

const JSON_FORMATS: ReadonlySet<Parse['format']> = new Set(['json', 'geojson', 'esri'])

/** What the schema cannot say about how a source is fetched, decoded and parsed. */
export function inputMistakes(definition: SourceDefinition): ShapeMistake[] {
  return [...fetchMistakes(definition), ...decodeMistakes(definition), ...parseMistakes(definition)]
}

function fetchMistakes({ fetch, parse, official }: SourceDefinition): ShapeMistake[] {
  const { kind } = fetch
  const mistakes = senseless('fetch', fetch, { allowed: ['kind', ...FETCH_OPTIONS[kind]], of: `kind ${kind}` })
  const refuse = (option: string, reason: string) => mistakes.push({ path: `fetch.${option}`, reason })
  const isPaged = kind !== 'file' && kind !== 'http'

  if (kind === 'file' && fetch.path === undefined) refuse('path', 'is missing; kind file needs it')
  if (kind === 'http' && fetch.url === undefined && !fetch.discovery) refuse('url', 'is missing; kind http needs url or discovery')
  if (isPaged && fetch.url === undefined) refuse('url', `is missing; kind ${kind} needs it`)
  if (isPaged && !JSON_FORMATS.has(parse.format)) {
    mistakes.push({ path: 'parse.format', reason: `kind ${kind} gives JSON: json, geojson or esri, not ${parse.format}` })
  }
  if (kind === 'paged_json' && fetch.page?.order !== undefined) {
    refuse('page.order', 'has no parameter of a known name here: write it in fetch.query')
  }
  mistakes.push(...urlMistakes('fetch.url', fetch.url))
  mistakes.push(...urlMistakes('fetch.discovery.url', fetch.discovery?.url))
  mistakes.push(...urlMistakes('official.url', official.url))
  if (fetch.discovery) mistakes.push(...regexMistakes('fetch.discovery.pattern', fetch.discovery.pattern))
  for (const name of Object.keys(fetch.headers ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) refuse(`headers.${name}`, 'is no name of a header')
  }
  return mistakes
}

function urlMistakes(path: string, text: string | undefined): ShapeMistake[] {
  if (text === undefined) return []
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) return [{ path, reason: `must be an http or https address; it is ${text}` }]
  if (url.username || url.password) return [{ path, reason: 'must hold no credentials: put them in fetch.headers' }]
  return []
}

function decodeMistakes({ decode, parse }: SourceDefinition): ShapeMistake[] {
  if (!decode.jsonp || JSON_FORMATS.has(parse.format)) return []
  return [{ path: 'decode.jsonp', reason: `makes no sense for format ${parse.format}` }]
}

function parseMistakes({ parse }: SourceDefinition): ShapeMistake[] {
  const { format } = parse
  const mistakes = senseless('parse', parse, { allowed: ['format', ...PARSE_OPTIONS[format]], of: `format ${format}` })
  const refuse = (option: string, reason: string) => mistakes.push({ path: `parse.${option}`, reason })
  if (format === 'xml' && parse.record_path === undefined) refuse('record_path', 'is missing; format xml needs it')
  if (parse.record_path !== undefined && !/^(\/\/?[^/\s]+)(\/[^/\s]+)*$/.test(parse.record_path)) {
    refuse('record_path', 'must be //name or /root/…/name')
  }
  for (const option of ['records_path', 'value_path'] as const) {
    if (parse[option]?.split('.').includes('')) refuse(option, 'must be names with dots between them')
  }
  const { delimiter, quote } = parse
  if (delimiter !== undefined && /[\r\n\uFEFF]/.test(delimiter)) refuse('delimiter', 'must not be a line break')
  if (delimiter !== undefined && delimiter === (quote === undefined ? '"' : quote)) refuse('delimiter', 'must differ from quote')
  if (quote && /[\r\n]/.test(quote)) refuse('quote', 'must not be a line break')
  return mistakes
}

function senseless(
  path: string,
  options: object,
  { allowed, of }: { allowed: readonly string[]; of: string },
): ShapeMistake[] {
  return Object.keys(options)
    .filter((option) => !allowed.includes(option))
    .map((option) => ({ path: `${path}.${option}`, reason: `makes no sense for ${of}` }))
}

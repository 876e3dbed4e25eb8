import type { Fetch, Parse, SourceDefinition } from '../domain/definition.ts'
import { regexMistakes } from './field-rule-checks.ts'
import { refusals, type ShapeMistake } from './shape.ts'

type FetchOption = Exclude<keyof Fetch, 'kind'>
type ParseOption = Exclude<keyof Parse, 'format'>

const NETWORK: readonly FetchOption[] = [
  'url',
  'headers',
  'query',
  'ca_file',
  'timeout_s',
  'retries',
  'max_bytes',
]
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
  const { kind, discovery } = fetch
  const allowed = ['kind', ...FETCH_OPTIONS[kind]]
  return [
    ...senseless('fetch', fetch, { allowed, of: `kind ${kind}` }),
    ...placeMistakes(fetch),
    ...pagingMistakes(fetch, parse.format),
    ...urlMistakes('fetch.url', fetch.url),
    ...urlMistakes('fetch.discovery.url', discovery?.url),
    ...urlMistakes('official.url', official.url),
    ...(discovery ? regexMistakes('fetch.discovery.pattern', discovery.pattern) : []),
    ...Object.keys(fetch.headers ?? {}).flatMap(headerMistakes),
  ]
}

/** Where the bytes are: a source must say exactly that. */
function placeMistakes({ kind, path, url, discovery }: Fetch): ShapeMistake[] {
  const isNowhere = url === undefined && discovery === undefined
  return refusals([
    [kind === 'file' && path === undefined, 'fetch.path', 'is missing; kind file needs it'],
    [kind === 'http' && isNowhere, 'fetch.url', 'is missing; kind http needs url or discovery'],
    [isPaged(kind) && url === undefined, 'fetch.url', `is missing; kind ${kind} needs it`],
  ])
}

function pagingMistakes({ kind, page }: Fetch, format: Parse['format']): ShapeMistake[] {
  return refusals([
    [
      isPaged(kind) && !JSON_FORMATS.has(format),
      'parse.format',
      `kind ${kind} gives JSON: json, geojson or esri, not ${format}`,
    ],
    [
      kind === 'paged_json' && page?.order !== undefined,
      'fetch.page.order',
      'has no parameter of a known name here: write it in fetch.query',
    ],
  ])
}

function isPaged(kind: Fetch['kind']): boolean {
  return kind !== 'file' && kind !== 'http'
}

function headerMistakes(name: string): ShapeMistake[] {
  const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name)
  return refusals([[!isName, `fetch.headers.${name}`, 'is no name of a header']])
}

function urlMistakes(path: string, text: string | undefined): ShapeMistake[] {
  if (text === undefined) return []
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    return [{ path, reason: `must be an http or https address; it is ${text}` }]
  if (url.username || url.password)
    return [{ path, reason: 'must hold no credentials: put them in fetch.headers' }]
  return []
}

function decodeMistakes({ decode, parse }: SourceDefinition): ShapeMistake[] {
  if (!decode.jsonp || JSON_FORMATS.has(parse.format)) return []
  return [{ path: 'decode.jsonp', reason: `makes no sense for format ${parse.format}` }]
}

function parseMistakes({ parse }: SourceDefinition): ShapeMistake[] {
  const { format, records_path, value_path } = parse
  const allowed = ['format', ...PARSE_OPTIONS[format]]
  return [
    ...senseless('parse', parse, { allowed, of: `format ${format}` }),
    ...recordPathMistakes(parse),
    ...dottedMistakes('parse.records_path', records_path),
    ...dottedMistakes('parse.value_path', value_path),
    ...separatorMistakes(parse),
  ]
}

function recordPathMistakes({ format, record_path }: Parse): ShapeMistake[] {
  const path = 'parse.record_path'
  if (record_path === undefined) {
    return refusals([[format === 'xml', path, 'is missing; format xml needs it']])
  }
  const isPath = /^(\/\/?[^/\s]+)(\/[^/\s]+)*$/.test(record_path)
  return refusals([[!isPath, path, 'must be //name or /root/…/name']])
}

function dottedMistakes(path: string, dotted = 'a'): ShapeMistake[] {
  const hasGap = dotted.split('.').includes('')
  return refusals([[hasGap, path, 'must be names with dots between them']])
}

function separatorMistakes({ delimiter = ',', quote = '"' }: Parse): ShapeMistake[] {
  const isBreak = (text: string | null) => text !== null && /[\r\n\uFEFF]/.test(text)
  return refusals([
    [isBreak(delimiter), 'parse.delimiter', 'must not be a line break'],
    [delimiter === quote, 'parse.delimiter', 'must differ from quote'],
    [isBreak(quote), 'parse.quote', 'must not be a line break'],
  ])
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

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHAPTERS } from '../src/http/endpoint.ts'
import type { buildOpenApi } from '../src/http/openapi.ts'
import { fieldRows, type Schema, typeOf } from './schema-text.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

interface Operation {
  operationId: string
  tags?: string[]
  summary: string
  description: string
  deprecated?: boolean
  security?: unknown[]
  parameters: Parameter[]
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }> }>
}

interface Document {
  paths: Record<string, { get: Operation }>
  tags: { name: string; description: string }[]
  'x-problems': { code: string; status: number; title: string; description: string }[]
}

/** The whole API as one page: docs/api-introduction.md, then every address, then every kind of problem. */
export async function apiPage(openApi: ReturnType<typeof buildOpenApi>): Promise<string> {
  const document = JSON.parse(JSON.stringify(openApi)) as Document
  const introduction = await readFile(join(import.meta.dirname, 'api-introduction.md'), 'utf8')
  const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }))
  const chapters = CHAPTERS.map((chapter) => {
    const about = document.tags.find(({ name }) => name === chapter)?.description ?? ''
    const own = operations.filter(({ get }) => get.tags?.includes(chapter))
    return [`## ${chapter}`, about, ...own.map(({ path, get }) => section(path, get))].join('\n\n')
  })
  return [introduction.trim(), ...chapters, problems(document)].join('\n\n').concat('\n')
}

function section(path: string, get: Operation): string {
  const [contentType, content] = Object.entries(get.responses['200']?.content ?? {})[0] ?? []
  return [
    `### GET ${path}`,
    `${get.deprecated ? '**Deprecated.** ' : ''}${get.summary}. ${get.description}`,
    ...(get.security ? ['No key is needed.'] : []),
    ...parameterTable(get.parameters.filter((parameter) => parameter.in !== 'header')),
    ...(content ? answer(contentType ?? '', content) : []),
  ].join('\n\n')
}

function parameterTable(parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return ['It takes no parameters.']
  const rows = parameters.map(({ name, in: where, required, description, schema }) => {
    const absent = required ? 'required' : ''
    const standard = schema.default === undefined ? absent : `\`${schema.default}\``
    return `| \`${name}\` | ${where} | ${typeOf(schema)} | ${standard} | ${cell(description ?? '')} |`
  })
  return [
    ['| Parameter | Where | Type | Default | Meaning |', '|---|---|---|---|---|', ...rows].join(
      '\n',
    ),
  ]
}

function answer(
  contentType: string,
  { schema, example }: { schema: Schema; example?: unknown },
): string[] {
  const rows = fieldRows(schema).map(
    ({ name, type, description }) => `| \`${name}\` | ${type} | ${cell(description)} |`,
  )
  const table =
    rows.length === 0
      ? (schema.description ?? '')
      : ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n')
  return [`Answer: \`${contentType}\`.`, table, ...exampleBlock(example)].filter(
    (part) => part !== '',
  )
}

function exampleBlock(example: unknown): string[] {
  if (example === undefined) return []
  const isText = typeof example === 'string'
  const text = isText ? example.trimEnd() : JSON.stringify(example, null, 2)
  return [`\`\`\`${isText ? 'text' : 'json'}\n${text.replaceAll('\r\n', '\n')}\n\`\`\``]
}

function problems(document: Document): string {
  const rows = document['x-problems'].map(
    ({ code, status, title, description }) =>
      `| ${status} | \`${code}\` | ${cell(`${title}. ${description}`)} |`,
  )
  return [
    '## Problems',
    'Every answer from 400 on is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `detail`, `code`, `request_id` and, for 400, `errors`.',
    ['| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n'),
  ].join('\n\n')
}

/** A text inside a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { validate } from 'node-cron'
import { parseDocument } from 'yaml'
import { SourceDefinition, territoriesOf } from '../domain/definition.ts'
import { OperatorError } from '../domain/problem.ts'
import { mappingMistakes } from './field-rule-checks.ts'
import { resolveBeside } from './files.ts'
import { inputMistakes } from './input-checks.ts'
import { type ShapeMistake, shapeMistakes } from './shape.ts'

/** One mistake in one definition; `path` is the dotted option, or the line for text that is no YAML. */
export interface Mistake {
  file: string
  path: string
  reason: string
}

/** Reads every definition of a folder. A single mistake stops the start; all of them are told at once. */
export async function readDefinitions(dir: string): Promise<SourceDefinition[]> {
  const { definitions, mistakes } = await checkDefinitions(dir)
  if (mistakes.length === 0) return definitions
  throw new OperatorError(
    mistakes.map(({ file, path, reason }) => `${file}: ${path}: ${reason}`).join('\n'),
  )
}

/** The sound definitions of a folder, in the order of their files, and every mistake of the others. */
export async function checkDefinitions(
  dir: string,
): Promise<{ definitions: SourceDefinition[]; mistakes: Mistake[] }> {
  const names = await namesIn(dir)
  if (typeof names === 'string')
    return { definitions: [], mistakes: [{ file: dir, path: 'folder', reason: names }] }
  const read = await Promise.all(names.map((name) => readOne(dir, name)))
  const all = read.flatMap(({ definition }) => definition ?? [])
  const mistakes = [
    ...read.flatMap(({ name, mistakes: own }) =>
      own.map((mistake) => ({ file: join(dir, name), ...mistake })),
    ),
    ...sharedMistakes(all).map(({ definition, ...mistake }) => ({
      file: join(dir, relative(resolve(dir), definition.file)),
      ...mistake,
    })),
  ]
  const faulty = new Set(mistakes.map(({ file }) => resolve(file)))
  return { definitions: all.filter(({ file }) => !faulty.has(file)), mistakes }
}

async function namesIn(dir: string): Promise<string[] | string> {
  const isFolder = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) return 'there is no such folder'
  const names = (await readdir(dir)).filter((name) => /\.ya?ml$/i.test(name)).sort()
  return names.length > 0 ? names : 'holds no source definition (*.yaml)'
}

interface ReadFile {
  name: string
  definition?: SourceDefinition
  mistakes: ShapeMistake[]
}

async function readOne(dir: string, name: string): Promise<ReadFile> {
  const file = resolve(dir, name)
  const { value, mistakes: unreadable } = parseYaml(await readFile(file, 'utf8'))
  if (unreadable.length > 0) return { name, mistakes: unreadable }
  const wrong = shapeMistakes(SourceDefinition, value)
  if (wrong.length > 0) return { name, mistakes: wrong.map(named) }
  // The cast is safe: the value has just been checked against the schema.
  const definition = { ...(value as Omit<SourceDefinition, 'file'>), file } as SourceDefinition
  const mistakes = [
    ...identityMistakes(definition),
    ...inputMistakes(definition),
    ...mappingMistakes(definition),
    ...(await fileMistakes(definition, dir)),
  ]
  return { name, definition, mistakes }
}

function named({ path, reason }: ShapeMistake): ShapeMistake {
  return { path: path || 'definition', reason }
}

function parseYaml(text: string): { value: unknown; mistakes: ShapeMistake[] } {
  // Keys stay text: `true:` would become a boolean, and 09 of a territory map the number 9.
  const document = parseDocument(text, { stringKeys: true })
  const mistakes = document.errors.map(({ message, linePos }) => ({
    path: `line ${linePos?.[0].line ?? 1}`,
    reason: (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, ''),
  }))
  if (mistakes.length > 0) return { value: null, mistakes }
  try {
    return { value: document.toJS(), mistakes: [] }
  } catch (error) {
    return {
      value: null,
      mistakes: [
        { path: 'definition', reason: error instanceof Error ? error.message : String(error) },
      ],
    }
  }
}

function identityMistakes({
  territory,
  territory_from,
  schedule,
}: SourceDefinition): ShapeMistake[] {
  const mistakes: ShapeMistake[] = []
  if ((territory === undefined) === (territory_from === undefined)) {
    mistakes.push({
      path: 'territory',
      reason: 'needs exactly one of territory and territory_from',
    })
  }
  if (schedule.trim().split(/\s+/).length !== 5 || !validate(schedule)) {
    mistakes.push({
      path: 'schedule',
      reason: `must be a cron expression of five fields; it is ${schedule}`,
    })
  }
  return mistakes
}

/** Files of a definition lie below the folder that holds the definitions folder, and nowhere else. */
async function fileMistakes(definition: SourceDefinition, dir: string): Promise<ShapeMistake[]> {
  const { path, ca_file } = definition.fetch
  const root = dirname(await realpath(dir))
  const checks = [
    { path: 'fetch.path', value: path },
    { path: 'fetch.ca_file', value: ca_file },
  ].map(async ({ path: option, value }) => {
    const reason = value === undefined ? null : await fileReason(definition, { value, root })
    return reason === null ? [] : [{ path: option, reason }]
  })
  return (await Promise.all(checks)).flat()
}

async function fileReason(
  definition: SourceDefinition,
  { value, root }: { value: string; root: string },
): Promise<string | null> {
  if (isAbsolute(value)) return 'must be relative to the definition'
  const target = resolveBeside(definition, value)
  const real = await realpath(target).catch(() => null)
  const way = relative(root, real ?? target)
  if (way.startsWith('..') || isAbsolute(way))
    return `leaves the folder of the definitions: ${value}`
  if (real === null || !(await stat(real)).isFile()) return `there is no file ${value}`
  return null
}

type SharedMistake = ShapeMistake & { definition: SourceDefinition }

/** What only shows when all definitions are seen together. */
function sharedMistakes(definitions: readonly SourceDefinition[]): SharedMistake[] {
  const enabled = definitions.filter((definition) => definition.enabled !== false)
  return [
    ...repeats(definitions, (definition) => [definition.slug]).map(
      ({ definition, key, first }) => ({
        definition,
        path: 'slug',
        reason: `${key} is taken by ${basename(first.file)}`,
      }),
    ),
    ...repeats(enabled, territoriesOf).map(({ definition, key, first }) => ({
      definition,
      path: definition.territory ? 'territory' : 'territory_from.map',
      reason: `${key} is covered by ${basename(first.file)} too: enable one source for a territory`,
    })),
  ]
}

interface Repeat {
  definition: SourceDefinition
  key: string
  first: SourceDefinition
}

function repeats(
  definitions: readonly SourceDefinition[],
  keysOf: (definition: SourceDefinition) => string[],
): Repeat[] {
  const owners = new Map<string, SourceDefinition>()
  return definitions.flatMap((definition) =>
    keysOf(definition).flatMap((key) => {
      const first = owners.get(key)
      if (first) return [{ definition, key, first }]
      owners.set(key, definition)
      return []
    }),
  )
}

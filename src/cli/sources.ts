import { OperatorError } from '../domain/problem.ts'
import { checkDefinitions } from '../sources/definitions.ts'
import { parseFlags } from './arguments.ts'
import { print } from './output.ts'
import { PREVIEW_USAGE, previewCommand } from './preview.ts'

export const SOURCES_HELP = `sources check DIR     validates the source definitions of a folder without loading anything
${PREVIEW_USAGE}
                      fetches and maps a source, shows its columns, its first 20 records and all warnings; writes nothing`

/** Works on files and addresses alone: no Elasticsearch is needed. */
export async function sourcesCommand(args: readonly string[]): Promise<number> {
  const [action, ...rest] = args
  if (action === 'check') return check(rest)
  if (action === 'preview') return previewCommand(rest)
  throw new OperatorError(`sources ${action ?? ''}: expected check or preview.\n${SOURCES_HELP}`)
}

async function check(args: readonly string[]): Promise<number> {
  const { positionals } = parseFlags(args, {}, { min: 1, max: 1, usage: 'sources check DIR' })
  const { definitions, mistakes } = await checkDefinitions(positionals[0] as string)
  for (const { file, path, reason } of mistakes) print(`${file}: ${path}: ${reason}`)
  if (mistakes.length > 0) {
    print(
      `${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes'}; nothing was loaded.`,
    )
    return 1
  }
  for (const { slug, territory, territory_from, schedule } of definitions) {
    print(
      `${slug}: ${territory ?? `${Object.keys(territory_from?.map ?? {}).length} territories`}, ${schedule}`,
    )
  }
  print(`${definitions.length} definitions, no mistakes.`)
  return 0
}

import { dirname, resolve } from 'node:path'
import type { SourceDefinition } from '../domain/definition.ts'

/** A path as a definition writes it: relative to the definition's own file. */
export function resolveBeside(definition: Pick<SourceDefinition, 'file'>, path: string): string {
  return resolve(dirname(definition.file), path)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SourceDefinition } from '../../../src/domain/definition.ts'
import { checkDefinitions } from '../../../src/sources/definitions.ts'

const ROOT = join(import.meta.dirname, '../../..')
const manual = readFileSync(join(ROOT, 'docs/sources.md'), 'utf8')

/** The names of all options, however deep. */
function optionsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return []
    const own = key === 'properties' ? Object.keys(value) : []
    return [...own, ...optionsOf(value)]
  })
}

describe('the manual of source definitions', () => {
  it.each(readdirSync(join(ROOT, 'docs/source-templates')))('shows %s as it is', (name) => {
    const template = readFileSync(join(ROOT, 'docs/source-templates', name), 'utf8')
    expect(manual).toContain(`\`\`\`yaml\n${template}\`\`\``)
  })

  it('names every option', () => {
    const options = [...new Set(optionsOf(SourceDefinition))]
    expect(options.filter((option) => !manual.includes(option))).toEqual([])
  })

  it('lists every bundled definition', () => {
    const files = readdirSync(join(ROOT, 'sources'))
    expect(files.filter((file) => !manual.includes(`sources/${file}`))).toEqual([])
  })
})

describe('the bundled definitions', () => {
  it.each(['sources', 'docs/source-templates'])('of %s have no mistakes', async (folder) => {
    expect((await checkDefinitions(join(ROOT, folder))).mistakes).toEqual([])
  })
})

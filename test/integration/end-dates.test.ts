import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SourceDefinition } from '../../src/domain/definition.ts'
import { registryForTest } from '../support/loading.ts'
import { registerDefinition } from '../support/register.ts'
import { startStub } from '../support/stub-server.ts'

const TEXT = [
  'codigo;nombre;direccion;cp;municipio;titular;estado;lat;lon',
  '1;Una;Calle 1;28001;Villaejemplo;Titular 1;15/01/2026;;',
  '2;Otra;Calle 2;28001;Villaejemplo;Titular 2;;;',
  '',
].join('\n')

/** A definition whose pharmacies are active until the date in "estado". */
function untilDate(folder: string, fetch?: SourceDefinition['fetch']): SourceDefinition {
  const definition = registerDefinition(folder, fetch ? { fetch } : {})
  return {
    ...definition,
    map: { ...definition.map, is_active: { end_date: 'estado', format: 'dd/MM/yyyy' } },
  }
}

test('an end date that passes while the file stays the same closes, once', async () => {
  const registry = await registryForTest()
  const definition = untilDate(registry.context.workDir)
  const file = join(dirname(definition.file), 'same.csv')
  const load = async (observedAt: string) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, TEXT)
    const [run] = await registry.load({ definition, file, observedAt })
    return { status: run?.status, closed: run?.events.closed_soft }
  }
  expect(await load('2026-01-10T00:00:00.000Z')).toEqual({ status: 'committed', closed: 0 })
  expect(await load('2026-01-12T00:00:00.000Z')).toEqual({ status: 'unchanged', closed: 0 })
  expect(await load('2026-01-20T00:00:00.000Z')).toEqual({ status: 'committed', closed: 1 })
  expect(await load('2026-01-21T00:00:00.000Z')).toEqual({ status: 'unchanged', closed: 0 })
  // The same bytes of an earlier day say nothing new.
  expect(await load('2026-01-11T00:00:00.000Z')).toEqual({ status: 'unchanged', closed: 0 })
  expect(await registry.broken()).toEqual([])
})

test('a source that is judged by dates is not asked whether its bytes are new', async () => {
  const registry = await registryForTest()
  const reply = { headers: { etag: '"one"', 'content-type': 'text/csv' }, body: TEXT }
  const routes = [{ match: { path: '/register.csv' }, reply }]
  const stub = await startStub({ steps: [{ routes }] }, { folder: '.' })
  onTestFinished(() => stub.close())
  const url = `${stub.url}/register.csv`
  const dated = untilDate(registry.context.workDir, { kind: 'http', url })
  await registry.load({ definition: dated, observedAt: '2026-01-10T00:00:00.000Z' })
  const [run] = await registry.load({ definition: dated, observedAt: '2026-01-20T00:00:00.000Z' })
  expect(run?.events.closed_soft).toBe(1)
  expect(stub.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    undefined,
  ])
})

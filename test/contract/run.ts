import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { schemathesis } from './schemathesis.ts'
import { openContractService } from './service.ts'

/**
 * Sends generated requests, right and wrong, to a real service with the demo data, and holds every answer against its
 * /openapi.json: no fault of the service, no status, header or body that is not documented.
 *
 *   npm run test:contract              at least 10 000 requests
 *   npm run test:contract -- --quick   one to two thousand, for every change
 */
const LONG = { examples: 500, everywhere: 60, atLeast: 10_000 }
const QUICK = { examples: 5, everywhere: 5, atLeast: 1_000 }

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, seed: { type: 'string' }, examples: { type: 'string' } },
})
const { examples, everywhere, atLeast } = values.quick ? QUICK : LONG
const folder = await mkdtemp(join(tmpdir(), 'pharmacy-registry-contract-'))
process.exitCode = await main()

async function main(): Promise<number> {
  const service = await openContractService(folder)
  try {
    const seed = values.seed ?? String(Date.now() % 1_000_000)
    const loaded = await schemathesis({
      service,
      key: service.keys.loaded,
      seed,
      examples: Number(values.examples ?? examples),
    })
    const all = await schemathesis({
      service,
      key: service.keys.everywhere,
      seed,
      examples: everywhere,
      phases: 'examples,fuzzing',
      isEverywhere: true,
    })
    process.stdout.write(
      `${service.answered()} requests, seed ${seed}. ${summary(service.statuses())}\n`,
    )
    if (service.answered() < atLeast)
      process.stdout.write(`Expected at least ${atLeast} requests.\n`)
    return loaded === 0 && all === 0 && service.answered() >= atLeast ? 0 : 1
  } finally {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function summary(statuses: ReadonlyMap<number, number>): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}

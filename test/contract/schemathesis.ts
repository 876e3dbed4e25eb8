import { spawn } from 'node:child_process'
import { pythonTool } from '../support/python-tool.ts'
import type { ContractService } from './service.ts'

const VERSION = '4.32.5'
const WORKERS = '2'

/** One run over every operation; gives its exit code. */
export async function schemathesis({
  service,
  key,
  seed,
  examples,
  phases = 'examples,coverage,fuzzing',
  isEverywhere = false,
}: {
  service: ContractService
  key: string
  seed: string
  /** test cases of each operation at most */
  examples: number
  phases?: string
  /** with a key that may ask for territories nobody has loaded: these are 503, and nothing else is */
  isEverywhere?: boolean
}): Promise<number> {
  const args = [
    'run',
    `${service.url}/openapi.json`,
    ...['--url', service.url],
    ...['--header', `X-API-Key: ${key}`],
    ...['--checks', 'all'],
    ...(isEverywhere ? ['--exclude-checks', 'not_a_server_error'] : []),
    ...['--phases', phases],
    ...['--max-examples', String(examples)],
    ...['--workers', WORKERS],
    ...['--seed', seed],
    ...['--request-timeout', '30'],
    ...['--suppress-health-check', 'all'],
    ...['--warnings', 'off'],
    '--continue-on-failure',
  ]
  const child = spawn(pythonTool('schemathesis', VERSION), args, {
    cwd: import.meta.dirname,
    stdio: 'inherit',
    env: {
      ...process.env,
      NO_COLOR: '1',
      PYTHONPATH: import.meta.dirname,
      SCHEMATHESIS_HOOKS: 'hooks',
      CONTRACT_TERRITORIES: service.territories.join(','),
      CONTRACT_PHARMACIES: service.pharmacies.join(','),
      CONTRACT_EVERY_TERRITORY: isEverywhere ? '1' : '0',
    },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

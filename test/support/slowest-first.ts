import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, the slowest first, as measured one at a time: with one of them last, one processor
 * would wait for the other.
 */
const SLOWEST = [
  'test/integration/commit',
  'test/integration/cli',
  'rows/history',
  'client/mirror',
  'rows/feed',
  'test/integration/cases',
  'test/integration/registers',
  'test/integration/loader',
  'test/integration/own-cases',
  'embedded/find-elasticsearch',
  'test/integration/documents',
  'demo/load-demo',
]

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOWEST.findIndex((file) => moduleId.endsWith(`${file}.test.ts`))
  return rank === -1 ? SLOWEST.length : rank
}

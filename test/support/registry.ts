import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'

/** The address of the run's Elasticsearch. */
export function elasticsearchUrl(): string {
  return inject('elasticsearch')
}

/** An index prefix of its own for each test file, so that files never see each other's registries. */
export function testPrefix(): string {
  return `${inject('runPrefix')}-${randomBytes(3).toString('hex')}`
}

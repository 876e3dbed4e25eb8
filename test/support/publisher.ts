import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunDocument } from '../../src/store/runs.ts'
import { openTestRegistry, type TestRegistry } from './loading.ts'
import { type Listed, registerDefinition, writeRegister } from './register.ts'
import { type Service, serveRegistry } from './service.ts'

/** A registry that is loaded by the real loader from invented registers, and served. */
export interface Publisher {
  registry: TestRegistry
  service: Service
  folder: string
  /** one load; each is observed a minute after the one before, unless a date is given */
  load(
    territory: string,
    register: Iterable<Listed>,
    more?: { observedAt?: string },
  ): Promise<RunDocument>
  /** the instant of the last load */
  observedAt(): string
  close(): Promise<void>
}

const START = Date.parse('2026-01-01T06:00:00.000Z')

/** `now` is what the service takes for the present; every request sees the newest state unless `isFresh` is false. */
export async function openPublisher({
  now,
  isFresh = true,
}: {
  now?: string
  isFresh?: boolean
} = {}): Promise<Publisher> {
  const folder = mkdtempSync(join(tmpdir(), 'pharmacy-registry-published-'))
  const registry = await openTestRegistry()
  const service = await serveRegistry(registry.db, {
    isFresh,
    ...(now === undefined ? {} : { now: () => Date.parse(now) }),
  })
  let loads = 0
  let last = START
  return {
    registry,
    service,
    folder,
    observedAt: () => new Date(last).toISOString(),
    async load(territory, register, more = {}) {
      loads += 1
      last = more.observedAt === undefined ? last + 60_000 : Date.parse(more.observedAt)
      const [run] = await registry.load({
        definition: registerDefinition(folder, { territory }),
        file: writeRegister(folder, `${territory}-${loads}`, register),
        observedAt: new Date(last).toISOString(),
        force: true,
      })
      if (!run || !['committed', 'unchanged'].includes(run.status)) {
        throw new Error(`the load ended ${run?.status}: ${run?.error}`)
      }
      return run
    },
    async close() {
      await service.close()
      await registry.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

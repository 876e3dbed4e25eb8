import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ensureDashboard } from '../../src/dashboard-build.ts'

it('the page is built once for the same sources, and again for others', async () => {
  const folder = await ensureDashboard()
  const builtAt = async () => (await stat(join(folder, 'index.html'))).mtimeMs
  const first = await builtAt()
  await ensureDashboard()
  expect(await builtAt()).toBe(first)

  await writeFile(join(folder, '.stamp'), 'of other sources')
  await ensureDashboard()
  const second = await builtAt()
  expect(second).toBeGreaterThan(first)
  await ensureDashboard()
  expect(await builtAt()).toBe(second)
})

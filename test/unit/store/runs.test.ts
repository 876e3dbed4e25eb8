import { expect, it } from 'vitest'
import { noEvents } from '../../../src/domain/run.ts'
import { publicRun } from '../../../src/store/runs.ts'
import { runDocument } from '../../support/made-documents.ts'

it('a run from before a kind of event was known found none of it', () => {
  const document = runDocument(
    {
      run: 7,
      run_id: 'es-md-7',
      territory: 'ES-MD',
      observed_at: '2024-01-01T06:00:00.000Z',
      committed_at: '2024-01-01T06:01:00.000Z',
      fate: 'committed',
    },
    false,
    { seq: 1, id: 1 },
  )
  const { ownership_change: _later, ...known } = { ...noEvents(), opened: 3 }
  const shown = publicRun({ ...document, events: known as typeof document.events })
  expect(shown.events).toEqual({ ...noEvents(), opened: 3 })
})

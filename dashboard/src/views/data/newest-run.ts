import { useResource } from '../../api/resource.ts'
import type { Page, RunShown } from '../../api/shapes.ts'
import { pathOf } from '../../state/registry.ts'

/** Polls the first run of the journal: while it stays the same, so does the journal. */
export function useNewestRun(asked: Record<string, string>): {
  isLoading: boolean
  version: string
} {
  const { data, isLoading } = useResource<Page<RunShown>>(
    pathOf('/v1/farmacias/loads', { ...asked, limit: '1' }),
  )
  const newest = data?.items[0]
  return { isLoading, version: newest ? `${newest.run_id} ${newest.status}` : '' }
}

import { errors } from '@elastic/elasticsearch'
import { OperatorError } from '../domain/problem.ts'
import type { Db } from './db.ts'

/** Where snapshots go: a repository of Elasticsearch, made on first use when it is not there. */
export interface Repository {
  name: string
  /** folder as the nodes see it, below their path.repo; undefined: the first of path.repo */
  location?: string | undefined
}

/** Makes the repository where it is not there yet. */
export async function openRepository(db: Db, { name, location }: Repository): Promise<void> {
  try {
    await db.client.snapshot.getRepository({ name })
  } catch (cause) {
    if (!(cause instanceof errors.ResponseError) || cause.statusCode !== 404) throw cause
    const folder = location ?? (await firstFolder(db))
    await db.client.snapshot.createRepository({
      name,
      repository: { type: 'fs', settings: { location: folder, compress: true } },
    })
  }
}

/** The embedded node has a folder for it; a cluster of one's own has where its path.repo says so. */
async function firstFolder(db: Db): Promise<string> {
  const { nodes } = await db.client.nodes.info({ metric: 'settings' })
  for (const { settings } of Object.values(nodes)) {
    const folders = settings?.path?.repo as string | string[] | undefined
    const first = [folders ?? []].flat()[0]
    if (first !== undefined) return first
  }
  throw new OperatorError(
    'Elasticsearch has no folder for snapshots: set path.repo on its nodes, or make a repository and name it in BACKUP_REPOSITORY.',
  )
}

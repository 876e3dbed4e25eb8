import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openArchive } from '../../../src/sources/archive.ts'
import { aFile, aFolder, failure } from './made-source.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the archive', () => {
  it('keeps a file, smaller, and gives the same bytes back', async () => {
    const text = 'Farmacia Inventada\n'.repeat(1000)
    const folder = join(await aFolder(), 'archive')
    const archive = openArchive(folder)
    expect(await archive.has(sha256(text))).toBe(false)
    await archive.store(await aFile(text), { sha256: sha256(text) })
    expect(await archive.has(sha256(text))).toBe(true)
    const [name = ''] = await readdir(folder)
    expect((await stat(join(folder, name))).size).toBeLessThan(text.length / 10)
    const restored = await archive.restore(sha256(text), await aFolder())
    expect(await readFile(restored, 'utf8')).toBe(text)
  })

  it('leaves what it has as it is', async () => {
    const archive = openArchive(await aFolder())
    await archive.store(await aFile('uno'), { sha256: sha256('uno') })
    await archive.store('/nowhere', { sha256: sha256('uno') })
    expect(await readFile(await archive.restore(sha256('uno'), await aFolder()), 'utf8')).toBe(
      'uno',
    )
  })

  it('never keeps bytes under the hash of others, nor half a file', async () => {
    const folder = await aFolder()
    const archive = openArchive(folder)
    await expect(archive.store(await aFile('dos'), { sha256: sha256('uno') })).rejects.toThrow(
      'is not what was downloaded',
    )
    await expect(archive.store('/nowhere', { sha256: sha256('uno') })).rejects.toThrow('ENOENT')
    expect(await readdir(folder)).toEqual([])
  })

  it('says when a snapshot is missing or damaged', async () => {
    const folder = await aFolder()
    const archive = openArchive(folder)
    expect(await failure(archive.restore(sha256('uno'), folder))).toBe('archive_missing')
    await writeFile(join(folder, `${sha256('uno')}.gz`), 'no gzip')
    expect(await failure(archive.restore(sha256('uno'), await aFolder()))).toBe('archive_missing')
  })

  it('is pruned of everything but what is to be kept', async () => {
    const folder = join(await aFolder(), 'archive')
    const archive = openArchive(folder)
    expect(await archive.prune(new Set())).toBe(0)
    await mkdir(folder)
    for (const text of ['uno', 'dos', 'tres'])
      await archive.store(await aFile(text), { sha256: sha256(text) })
    expect(await archive.prune(new Set([sha256('dos')]))).toBe(2)
    expect(await readdir(folder)).toEqual([`${sha256('dos')}.gz`])
  })
})

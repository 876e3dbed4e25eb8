import type { Got, Service } from './service.ts'

/** Follows next_cursor to the end and returns every page; `between` runs before each further page. */
export async function walkPages(
  service: Service,
  path: string,
  more: { key?: string; between?: () => Promise<void> } = {},
): Promise<Got[]> {
  const pages: Got[] = []
  let cursor: string | number | null = null
  do {
    const suffix: string =
      cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`
    const page: Got = await service.get(`${path}${suffix}`, more.key ? { key: more.key } : {})
    if (page.status !== 200) throw new Error(`${path}${suffix}: ${page.status} ${page.text}`)
    pages.push(page)
    cursor = page.body.next_cursor
    if (cursor !== null) await more.between?.()
  } while (cursor !== null)
  return pages
}

/** The items of all pages in order. */
export function itemsOf(pages: readonly Got[]): unknown[] {
  return pages.flatMap((page) => page.body.items)
}

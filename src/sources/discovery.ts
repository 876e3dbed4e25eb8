import { decode } from 'html-entities'
import type { Fetch } from '../domain/definition.ts'
import { LoadFailure } from '../domain/problem.ts'
import type { Fetcher } from './fetcher.ts'
import { nameOf } from './http-failure.ts'

/**
 * The address of a file whose name changes with every edition: the first or last match of a pattern on a page, in
 * the order of the page. A match inside a longer link takes the whole link, relative to that page; a bare name is
 * looked for in the folder that `fetch.url` names (it ends in a slash), else beside the page.
 */
export async function discover(
  { url, pattern, pick }: NonNullable<Fetch['discovery']>,
  { fetcher, base }: { fetcher: Fetcher; base: string | undefined },
): Promise<URL> {
  const page = await fetcher.text(new URL(url))
  const matches = [...page.text.matchAll(new RegExp(pattern, 'g'))].filter(([text]) => text !== '')
  const chosen = pick === 'first' ? matches[0] : matches.at(-1)
  if (!chosen) {
    throw new LoadFailure(
      'unexpected_content',
      `${nameOf(page.url)} has nothing that matches ${pattern}.`,
    )
  }
  // The same name often stands in a link and in its caption: only the link tells the folder.
  const [name] = chosen
  const links = matches
    .filter(([text]) => text === name)
    .map((match) => linkAround(page.text, match.index, name))
  const link = links.find((text) => text.includes('/')) ?? name
  const folder = base?.endsWith('/') && !link.includes('/') ? base : page.url.href
  const target = URL.canParse(link, folder) ? new URL(link, folder) : null
  if (target && /^https?:$/.test(target.protocol)) return target
  throw new LoadFailure(
    'unexpected_content',
    `${nameOf(page.url)} links to something that is not http or https.`,
  )
}

const BOUNDARY = /[\s"'<>()]/

function linkAround(text: string, index: number, name: string): string {
  let start = index
  let end = index + name.length
  while (start > 0 && !BOUNDARY.test(text[start - 1] as string)) start -= 1
  while (end < text.length && !BOUNDARY.test(text[end] as string)) end += 1
  const link = text.slice(start, end).replace(/^href=/i, '')
  return decode(link.replaceAll('\\/', '/'))
}

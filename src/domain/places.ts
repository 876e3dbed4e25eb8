import { foldLetters } from './letters.ts'

/** Names of places: articles before or behind, and two names in one value ("Donostia / San Sebastián"). */

const ARTICLES = "el|la|los|las|l['’´`]|els|les|lo|es|sa|ses|o|a|os|as"
const TRAILING_ARTICLE = new RegExp(`^(.*\\S)\\s*(?:,\\s*|\\(\\s*)(${ARTICLES})\\s*\\)?\\s*$`, 'iu')
const LEADING_ARTICLE = /^(?:el|la|los|las|els|les|lo|es|sa|ses|o|a|os|as) (?=.)/
const ELIDED_ARTICLE = /^\s*l['’´`]\s*(?=\S)/iu

/** The names in a value: two where a slash separates them. */
export function namesIn(value: string): string[] {
  if (!value.includes('/')) return [value]
  return value.split('/').filter((name) => foldLetters(name, '') !== '')
}

/** "Coruña, A" and "Coruña (A)" as "A Coruña". */
export function withArticleFirst(name: string): string {
  const match = TRAILING_ARTICLE.exec(name)
  if (!match) return name
  const [, rest = '', article = ''] = match
  return /['’´`]$/.test(article) ? `${article}${rest}` : `${article} ${rest}`
}

/** One name, folded, without its article: "A Coruña", "Coruña, A" and "Coruña" are the same. */
export function nameKey(name: string, stop: '' | ' ' = ''): string {
  const bare = withArticleFirst(name).replace(ELIDED_ARTICLE, '')
  return foldLetters(bare, stop).replace(LEADING_ARTICLE, '')
}

/** A whole value as one key; the order of two names does not matter. */
export function valueKey(value: string, keyOf: (name: string) => string = nameKey): string {
  const names = namesIn(value)
  const [only] = names
  if (names.length === 1 && only !== undefined) return keyOf(only)
  return [...new Set(names.map((name) => keyOf(name)))].sort().join('/')
}

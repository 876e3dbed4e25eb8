import Type from 'typebox'

/** A territory is the area one official dataset covers, coded `ES-XX` (spec section 1). */
export const TerritoryCode = Type.String({
  pattern: '^ES-[A-Z]{2}$',
  description: 'Territory code of the form ES-XX, case-sensitive.',
  examples: ['ES-MD'],
})
export type TerritoryCode = Type.Static<typeof TerritoryCode>

const PATTERN = /^ES-[A-Z]{2}$/

export function isTerritoryCode(text: string): boolean {
  return PATTERN.test(text)
}

import { provinceOfPostalCode } from '../domain/provinces.ts'

/**
 * A postal code as five digits of a Spanish province, the leading zero a number lost put back; null for anything else
 * (decisions section 4, "postal_code"). `prefixes` narrows it to the territory's provinces.
 */
export function readPostalCode(
  text: string,
  prefixes: readonly string[] | undefined,
): string | null {
  const code = text.length === 4 ? `0${text}` : text
  if (code.length !== 5 || !isDigits(code)) return null
  if (provinceOfPostalCode(code) === null) return null
  return prefixes === undefined || prefixes.includes(code.slice(0, 2)) ? code : null
}

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x30 || code > 0x39) return false
  }
  return true
}

import { PROVINCES } from '../../../src/domain/provinces.ts'

/** The provinces of the territories that are asked for, by name. */
export function provinceOptions(
  territories: readonly string[],
): { value: string; label: string }[] {
  return PROVINCES.filter(
    ({ territory_code: code }) => territories.length === 0 || territories.includes(code),
  )
    .map(({ name }) => ({ value: name, label: name }))
    .sort((a, b) => a.label.localeCompare(b.label, 'es'))
}

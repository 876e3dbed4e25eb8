import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cityKeys, provinceKeys } from '../../../src/domain/fold.ts'
import { searchTokens } from '../../../src/domain/search-tokens.ts'
import { searchFields, searchFieldsJson } from '../../../src/store/documents.ts'
import { aPharmacy } from '../../support/pharmacy.ts'

const text = fc.option(fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.string()))
const degrees = fc.option(fc.double({ min: -90, max: 90, noNaN: true }))

test('the search fields written by hand are what JSON would say of them, whatever the texts are', () => {
  const record = fc.record({
    name: text,
    owner_name: text,
    address_line: text,
    city: text,
    province: text,
    latitude: degrees,
    longitude: degrees,
  })
  fc.assert(
    fc.property(record, (some) => {
      const pharmacy = aPharmacy(some)
      const { latitude, longitude, city, province } = pharmacy
      const tokens = searchTokens(pharmacy)
      const expected = {
        ...(latitude === null || longitude === null
          ? {}
          : { location: { lat: latitude, lon: longitude } }),
        ...(city === null ? {} : { city_keys: cityKeys(city) }),
        ...(province === null ? {} : { province_keys: provinceKeys(province) }),
        ...(tokens.length === 0 ? {} : { search_tokens: tokens }),
      }
      const json = JSON.stringify(expected).slice(1, -1)
      // As it is stored: in UTF-8.
      expect(Buffer.from(searchFieldsJson(pharmacy)).toString()).toBe(json)
      expect(JSON.stringify(searchFields(pharmacy))).toBe(JSON.stringify(expected))
    }),
    { numRuns: 2_000 },
  )
})

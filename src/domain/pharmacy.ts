import Type from 'typebox'
import { TerritoryCode } from './territory.ts'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/**
 * One normalised pharmacy record (spec section 2.1), in CSV column order.
 * Identified by territory_code + external_id. Text is trimmed, NFC, and null where the source has nothing.
 */
export const Pharmacy = Type.Object(
  {
    external_id: Type.String({
      minLength: 1,
      description: 'Identifier of the pharmacy within its territory; text, leading zeros kept.',
      examples: ['2351'],
    }),
    name: nullable('Pharmacy name as published.'),
    address_line: nullable('Street address line as published.'),
    postal_code: nullable('Postal code, five characters, leading zero kept.'),
    city: nullable('City or municipality as published.'),
    province: nullable('Province as published or derived.'),
    territory_code: TerritoryCode,
    latitude: Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()], {
      description: 'WGS84 latitude in degrees, six decimals; null when unknown.',
    }),
    longitude: Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()], {
      description: 'WGS84 longitude in degrees, six decimals; null when unknown.',
    }),
    coordinate_source: nullable('Origin of the coordinates; null exactly when there are none.'),
    owner_name: nullable('Holder (titular) of the pharmacy; several holders joined.'),
    cnn_code: nullable('National code of the pharmacy.'),
    source_slug: Type.String({ description: 'Slug of the data source.' }),
    official_source_name: Type.String({ description: 'Name of the official source.' }),
    official_source_url: Type.String({ description: 'URL of the official source.' }),
    official_last_modified_at: nullable(
      'Last modification time reported by the official source, ISO 8601 UTC; null unless the source gives one.',
    ),
    observed_at: Type.String({
      description:
        'Instant (ISO 8601 UTC) at which this content of the record was first observed; it does not move while the content does not.',
    }),
    is_active: Type.Boolean({ description: 'Whether the source marks the pharmacy active.' }),
  },
  { description: 'One normalised pharmacy record.' },
)
export type Pharmacy = Type.Static<typeof Pharmacy>

export type PharmacyField = keyof Pharmacy

/** The export's columns, in the order of spec section 2.1. */
export const EXPORT_COLUMNS = Object.keys(Pharmacy.properties) as readonly PharmacyField[]

/** A change of any of these is a relocation (spec section 3), compared in canonical form. */
export const ADDRESS_FIELDS = ['address_line', 'postal_code', 'city', 'province'] as const

import { expect, test } from 'vitest'
import { createByteWriter } from '../../../src/domain/byte-writer.ts'
import { EVENT_TYPES, type EventSide } from '../../../src/domain/event.ts'
import { presentEvent, showEvent } from '../../../src/http/present-event.ts'
import { eventDocument } from '../../../src/store/documents.ts'
import { eventIn } from '../../../src/store/events.ts'
import { type Random, seededRandom } from '../../support/random.ts'

/** Texts that look like what a document is cut at. */
const NASTY = [
  '',
  'Ñandú €',
  '},',
  '},"',
  '},"old_city_keys":',
  '"},"new":{',
  ',"new":{"a":1},"b":{',
  '{"seq":7,"run":',
  '\\',
  '\\"},"c',
  '"',
  '\u{1f48a}',
]

function aText(random: Random): string {
  return `${random.pick(NASTY)}${random.pick(NASTY)}`
}

/** A side with some of its fields, or none. */
function aSide(random: Random): EventSide {
  const text = () => (random.integer(4) === 0 ? null : aText(random))
  const fields = Object.entries({
    name: text(),
    owner_name: text(),
    is_active: random.integer(2) === 0,
    address_line: text(),
    city: text(),
    latitude: random.integer(2) === 0 ? null : 40.5,
    longitude: random.integer(2) === 0 ? null : -3.7,
  })
  return Object.fromEntries(fields.filter(() => random.integer(3) > 0))
}

function aPlace(random: Random) {
  if (random.integer(3) === 0) return null
  return {
    address_line: aText(random),
    postal_code: '28001',
    city: random.integer(2) === 0 ? null : aText(random),
    province: random.integer(2) === 0 ? null : 'Soria',
    latitude: 40.5,
    longitude: random.integer(2) === 0 ? null : -3.7,
  }
}

test('what is shown of a stored event is what the parsed document says, whatever its texts and members', () => {
  const random = seededRandom(8)
  for (let round = 0; round < 5_000; round += 1) {
    const document = eventDocument(
      {
        event_type: random.pick(EVENT_TYPES),
        territory_code: 'ES-MD',
        external_id: aText(random),
        name: random.integer(4) === 0 ? null : aText(random),
        old: aSide(random),
        new: aSide(random),
        old_location: aPlace(random),
        new_location: aPlace(random),
      },
      {
        seq: random.integer(1e9),
        run: random.integer(1e4),
        run_id: 'es-md-1',
        occurred_at: '2026-01-01T06:00:00.000Z',
      },
    )
    const before = Buffer.from('{"hits":"ñ"}')
    const stored = Buffer.from(JSON.stringify(document))
    // Among others, as in an answer: what follows must not be taken for a part of it.
    const bytes = Buffer.concat([before, stored, Buffer.from(',"sort":[1]},{"_source":'), stored])
    const found = eventIn({ bytes, start: before.length, end: before.length + stored.length })
    const out = createByteWriter()
    showEvent(out, found)
    expect(JSON.parse(out.bytes().toString())).toEqual(presentEvent(document))
  }
})

test.each(['{"seq":1,"run":2,"run_id":"a"}', '{"run":2,"seq":1,"new":{}}', '{}'])(
  'what is no event is refused: %s',
  (json) => {
    const bytes = Buffer.from(json)
    expect(() => eventIn({ bytes, start: 0, end: bytes.length })).toThrow('what is stored')
  },
)

import { describe, expect, it } from 'vitest'
import { endOfDigits, numberAfter, wholeNumber } from '../../../src/domain/stored-bytes.ts'

const LATITUDE = Buffer.from('"latitude":')
const spanOf = (json: string) => ({ bytes: Buffer.from(json), start: 0, end: json.length })

describe('a number in what is stored', () => {
  it.each([
    ['{"latitude":40.5,"longitude":-3}', 40.5],
    ['{"latitude":-0.000001}', -0.000001],
    ['{"latitude":1e-7,"x":1}', 1e-7],
    ['{"latitude":2.1788000000000007}', 2.1788000000000007],
    ['{"latitude":null,"x":1}', null],
    ['{"name":"\\"latitude\\":7","latitude":8}', 8],
  ])('%s', (json, value) => {
    const found = numberAfter(spanOf(json), LATITUDE, 0)
    expect(found.value).toBe(value)
    expect(',}').toContain(json[found.end])
  })

  it('that is not there, or behind the end, is refused', () => {
    for (const json of ['{"longitude":1}', '{"latitude":']) {
      expect(() => numberAfter(spanOf(json), LATITUDE, 0)).toThrow('what is stored')
    }
    const two = { ...spanOf('{"x":1}{"latitude":1}'), end: 7 }
    expect(() => numberAfter(two, LATITUDE, 0)).toThrow('what is stored')
    expect(() => numberAfter(spanOf('{"latitude":1}'), LATITUDE, 5)).toThrow('what is stored')
  })
})

it('digits end where something else begins, and are refused where there are none', () => {
  expect(endOfDigits(Buffer.from('ab123,4'), 2)).toBe(5)
  expect(() => endOfDigits(Buffer.from('ab123'), 1)).toThrow('no number')
})

it.each([0, 7, 1204, 4_294_967_296, Number.MAX_SAFE_INTEGER])(
  'the digits of %d are it',
  (value) => {
    const text = `x${value},`
    expect(wholeNumber(Buffer.from(text), 1, text.length - 1)).toBe(value)
  },
)

import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import type { Decode, Parse } from '../../../src/domain/definition.ts'
import { decode } from '../../../src/sources/decode.ts'
import { failure, failureText, readText } from './made-source.ts'

const TEXT = 'id;nombre\n1;Farmàcia Peña\n'
const encoded = (encoding: string, text = TEXT) => iconv.encode(text, encoding)
const MARK = '\uFEFF'

async function names(
  content: Buffer,
  encoding: Decode['encoding'],
  parse?: Parse,
): Promise<unknown> {
  const { rows } = await readText(content, { decode: { encoding }, ...(parse ? { parse } : {}) })
  return rows.map((row) => ('fields' in row ? row.fields.nombre : row[1]))
}

describe('a declared encoding', () => {
  it.each(['utf-8', 'iso-8859-1', 'windows-1252', 'utf-16le'] as const)(
    '%s is read',
    async (encoding) => {
      expect(await names(encoded(encoding), encoding)).toEqual(['Farmàcia Peña'])
    },
  )

  it('windows-1252 has its typographic signs', async () => {
    const text = 'id;nombre\n1;L’Eixample – “A” €…Œ\n'
    expect(await names(encoded('windows-1252', text), 'windows-1252')).toEqual([
      'L’Eixample – “A” €…Œ',
    ])
  })

  it('whose bytes do not fit fails', async () => {
    expect(await failure(names(encoded('iso-8859-1'), 'utf-8'))).toBe('encoding')
    expect(await failure(names(Buffer.from([0x61, 0x0a, 0x81, 0x0a]), 'windows-1252'))).toBe(
      'encoding',
    )
    expect(
      await failureText(names(encoded('windows-1252', 'id;nombre\n1;10 €\n'), 'iso-8859-1')),
    ).toBe(
      'encoding: The content has bytes that do not fit its encoding iso-8859-1; if the publisher changed it, declare windows-1252.',
    )
    expect(
      await failure(names(Buffer.from([0x61, 0x00, 0x00, 0xd8, 0x61, 0x00]), 'utf-16le')),
    ).toBe('encoding')
  })

  it.each(['iso-8859-1', 'windows-1252'] as const)(
    '%s that has become UTF-8 fails and says what to declare',
    async (encoding) => {
      const text = `encoding: The content is utf-8, not ${encoding} as declared: declare decode.encoding: utf-8.`
      expect(await failureText(names(encoded('utf-8'), encoding))).toBe(text)
      expect(await names(Buffer.from('id;nombre\n1;Farmacia\n'), encoding)).toEqual(['Farmacia'])
    },
  )

  it('that is UTF-16 in truth fails, and the other way round', async () => {
    const text =
      'encoding: The content is utf-16le, not utf-8 as declared: declare decode.encoding: utf-16le.'
    expect(await failureText(names(encoded('utf-16le'), 'utf-8'))).toBe(text)
    expect(await failure(names(encoded('utf-8'), 'utf-16le'))).toBe('encoding')
  })

  it('is stopped by a character cut in two', async () => {
    expect(await failure(names(encoded('utf-8', 'id;nombre\n1;ñ').subarray(0, -1), 'utf-8'))).toBe(
      'incomplete_record',
    )
    expect(await failure(names(encoded('utf-16le').subarray(0, -1), 'utf-16le'))).toBe(
      'incomplete_record',
    )
  })
})

describe('UTF-8 with bytes that do not fit', () => {
  const rows = Array.from({ length: 40 }, (_, at) => `${at};José Peña Núñez`)
  const whole = encoded('utf-8', `id;nombre\n${rows.join('\n')}\n`)
  const [early, late] = [20, whole.length - 3]
  const inserted = (at: number) =>
    Buffer.concat([whole.subarray(0, at), Buffer.from([0xb4]), whole.subarray(at)])
  const appended = Buffer.concat([whole, encoded('windows-1252', '99;Ordóñez\n')])
  const cut = whole.subarray(0, whole.lastIndexOf(0xb1))

  it.each([
    ['one at the beginning', inserted(early)],
    ['one at the end', inserted(late)],
    ['rows of another encoding at the end', appended],
    ['a character cut in two at its end', cut],
  ])('%s: is read as nothing else', async (_, content) => {
    for (const encoding of ['auto', 'iso-8859-1', 'windows-1252'] as const) {
      expect(await failure(names(content, encoding))).toBe('encoding')
    }
  })

  it('leaves what is mostly of one byte a character alone', async () => {
    const text = `id;nombre\n${rows.join('\n')}\n40;FarmÃ\u00a0cia\n`
    const read = await names(encoded('windows-1252', text), 'auto')
    expect((read as string[]).at(0)).toBe('José Peña Núñez')
  })
})

describe('auto', () => {
  it.each([
    ['a mark of UTF-8', encoded('utf-8', MARK + TEXT)],
    ['a mark of UTF-16', encoded('utf-16le', MARK + TEXT)],
    ['a mark of big-endian UTF-16', encoded('utf-16be', MARK + TEXT)],
    ['UTF-16 without a mark', encoded('utf-16le')],
    ['valid UTF-8', encoded('utf-8')],
    ['anything else as Windows-1252', encoded('windows-1252')],
  ])('follows %s', async (_, content) => {
    expect(await names(content, 'auto')).toEqual(['Farmàcia Peña'])
  })

  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><a><row><nombre>Farmàcia €</nombre></row></a>`
  const parse: Parse = { format: 'xml', record_path: '//row' }

  it('follows the XML declaration, and UTF-8 where the declaration was forgotten', async () => {
    expect(await names(encoded('iso-8859-15', xml('ISO-8859-15')), 'auto', parse)).toEqual([
      'Farmàcia €',
    ])
    expect(await names(encoded('utf-8', xml('ISO-8859-1')), 'auto', parse)).toEqual(['Farmàcia €'])
  })

  it('believes a declaration of UTF-8, and refuses an unknown one', async () => {
    expect(await failure(names(encoded('windows-1252', xml('UTF-8')), 'auto', parse))).toBe(
      'encoding',
    )
    expect(await failure(names(encoded('windows-1252', xml('klingon')), 'auto', parse))).toBe(
      'encoding',
    )
  })
})

describe('marks', () => {
  it('are dropped at the start of the file and of every row, quoted ones too', async () => {
    const { header, rows } = await readText(`${MARK}id;nombre\n${MARK}"1";Uno\n${MARK}2;Dos\n`)
    expect({ header, rows }).toEqual({
      header: ['id', 'nombre'],
      rows: [
        ['1', 'Uno'],
        ['2', 'Dos'],
      ],
    })
  })
})

describe('decoding in chunks', () => {
  async function* bytewise(content: Buffer): AsyncGenerator<Buffer> {
    for (const byte of content) yield Buffer.from([byte])
  }

  it.each(['utf-8', 'utf-16le', 'windows-1252', 'iso-8859-15'])(
    '%s may be cut anywhere',
    async (encoding) => {
      const text = encoding.startsWith('utf') ? 'añ€𝕏\n' : 'añ€\n'
      let decoded = ''
      for await (const part of decode(bytewise(iconv.encode(text, encoding)), encoding))
        decoded += part
      expect(decoded).toBe(text)
    },
  )
})

describe('what a definition asks to be put right', () => {
  it('HTML entities, once, also inside nested values', async () => {
    const content = JSON.stringify([
      { id: '1', nombre: '&#193;lvarez &amp;amp; Peña', más: ['&lt;'], n: { x: '&ntilde;' } },
    ])
    const { rows } = await readText(content, {
      decode: { html_entities: true },
      parse: { format: 'json' },
    })
    expect(rows).toEqual([
      { fields: { id: '1', nombre: 'Álvarez &amp; Peña', más: ['<'], n: { x: 'ñ' } } },
    ])
  })

  it('but text encoded twice is left to the mapping, which counts it', async () => {
    const content = 'id;nombre\n1;FarmÃ¡cia\n2;CAFÉ»\n'
    const { rows } = await readText(content, { decode: { repair_mojibake: true } })
    expect(rows).toEqual([
      ['1', 'FarmÃ¡cia'],
      ['2', 'CAFÉ»'],
    ])
  })

  it('nothing that it does not ask for', async () => {
    const { rows } = await readText('id;nombre\n1;"Ã¡ &amp;"\n')
    expect(rows).toEqual([['1', 'Ã¡ &amp;']])
  })
})

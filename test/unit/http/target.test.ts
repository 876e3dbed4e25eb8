import { describe, expect, test } from 'vitest'
import { pathParams, readTarget } from '../../../src/http/target.ts'

describe('request targets', () => {
  test.each([
    ['/v1/a?x=1', { path: '/v1/a', segments: ['', 'v1', 'a'], query: 'x=1' }],
    ['/v1/a', { path: '/v1/a', segments: ['', 'v1', 'a'], query: '' }],
    ['//v1//a', { path: '//v1//a', segments: ['', '', 'v1', '', 'a'], query: '' }],
    ['/a/../b/./c', { path: '/b/c', segments: ['', 'b', 'c'], query: '' }],
    ['/a/%2e%2e/b', { path: '/b', segments: ['', 'b'], query: '' }],
    ['/a%2Fb/c', { path: '/a%2Fb/c', segments: ['', 'a/b', 'c'], query: '' }],
    ['/a?b?c#d', { path: '/a', segments: ['', 'a'], query: 'b?c' }],
    ['http://host:1/a?b', { path: '/a', segments: ['', 'a'], query: 'b' }],
    ['http://host?b', { path: '/', segments: ['', ''], query: 'b' }],
    ['/%ZZ/x', { path: '/%25ZZ/x', segments: ['', null, 'x'], query: '' }],
    ['/%FF', { path: '/%25FF', segments: ['', null], query: '' }],
  ])('%s', (raw, target) => {
    expect(readTarget(raw)).toEqual(target)
  })

  test('raw UTF-8 bytes are the text they were', () => {
    const target = readTarget(Buffer.from('/ñ').toString('latin1'))
    expect(target).toEqual({ path: '/%c3%b1', segments: ['', 'ñ'], query: '' })
  })

  test.each(['*', 'a', '', 'ftp://host/a', 'host:443'])('%s is no target of ours', (raw) => {
    expect(readTarget(raw)).toBeNull()
  })

  test('parameters come from their places, empty and undecodable ones too', () => {
    const of = (path: string) => {
      const target = readTarget(path)
      return target && pathParams('/x/:territory_code/:external_id/csv', target)
    }
    expect(of('/x/ES-MD/00%2F71/csv')).toEqual([
      { name: 'territory_code', value: 'ES-MD' },
      { name: 'external_id', value: '00/71' },
    ])
    expect(of('/x//%FF/csv')).toEqual([
      { name: 'territory_code', value: '' },
      { name: 'external_id', value: null },
    ])
  })
})

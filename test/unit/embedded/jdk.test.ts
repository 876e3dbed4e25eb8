import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findJdk, javaMajor } from '../../../src/embedded/jdk.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'jdk-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function aJdk(name: string, version: string): string {
  const home = join(folder, name)
  mkdirSync(join(home, 'bin'), { recursive: true })
  writeFileSync(join(home, 'bin', 'java'), '')
  writeFileSync(join(home, 'release'), `IMPLEMENTOR="Somebody"\nJAVA_VERSION="${version}"\n`)
  return home
}

test.each([
  ['JAVA_VERSION="25.0.3"', 25],
  ['IMPLEMENTOR="X"\nJAVA_VERSION="17.0.15"\n', 17],
  ['JAVA_VERSION="1.8.0_392"', 8],
  ['JAVA_VERSION="21"', 21],
  ['IMPLEMENTOR="X"', undefined],
])('the major version of %j is %j', (release, major) => {
  expect(javaMajor(release)).toBe(major)
})

test('ES_JAVA_HOME comes before JAVA_HOME, and one that is too old is passed over', () => {
  const [old, older, fit] = [
    aJdk('seventeen', '17.0.1'),
    aJdk('twenty-two', '22.0.1'),
    aJdk('twenty-four', '24'),
  ]
  const anywhere = () => true
  expect(findJdk({ ES_JAVA_HOME: fit, JAVA_HOME: older }, anywhere)).toEqual({
    home: fit,
    major: 24,
  })
  expect(findJdk({ ES_JAVA_HOME: old, JAVA_HOME: older }, anywhere)).toEqual({
    home: older,
    major: 22,
  })
})

test('among the usual places the newest version that was tried wins over newer and older ones', () => {
  const home = join(folder, 'home')
  const place = join('home', '.sdkman', 'candidates', 'java')
  aJdk(join(place, 'a'), '21.0.2')
  aJdk(join(place, 'b'), '27')
  const best = aJdk(join(place, 'c'), '25.0.1')
  expect(findJdk({ HOME: home, PATH: '' }, (at) => at.startsWith(folder))).toEqual({
    home: best,
    major: 25,
  })
})

test('a JDK that the user of Elasticsearch cannot reach is none', () => {
  const home = aJdk('private', '25')
  expect(findJdk({ ES_JAVA_HOME: home, HOME: folder, PATH: '' }, () => false)).toBeUndefined()
})

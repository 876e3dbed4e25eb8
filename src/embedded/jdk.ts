import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Environment } from './places.ts'

/** The oldest Java that Elasticsearch 9 runs on, and the newest its version here was released for. */
const OLDEST_JAVA = 21
const NEWEST_TRIED_JAVA = 25

export interface Jdk {
  home: string
  major: number
}

/**
 * The Java to use: ES_JAVA_HOME, then JAVA_HOME, then the best of the usual places. `usable` says whether the user
 * that will run Elasticsearch can reach a folder. Undefined when none is new enough.
 */
export function findJdk(env: Environment, usable: (home: string) => boolean): Jdk | undefined {
  const isFit = (jdk: Jdk) => jdk.major >= OLDEST_JAVA && usable(jdk.home)
  const named = [env.ES_JAVA_HOME, env.JAVA_HOME].flatMap(jdkAt).find(isFit)
  return named ?? usualHomes(env).flatMap(jdkAt).filter(isFit).sort(byFitness)[0]
}

/** Versions that Elasticsearch was tried with come first, the newest of them at the head. */
function byFitness(a: Jdk, b: Jdk): number {
  const isTried = (jdk: Jdk) => (jdk.major <= NEWEST_TRIED_JAVA ? 0 : 1)
  if (isTried(a) !== isTried(b)) return isTried(a) - isTried(b)
  return isTried(a) === 0 ? b.major - a.major : a.major - b.major
}

function jdkAt(home: string | undefined): Jdk[] {
  if (!home || !existsSync(join(home, 'bin', 'java'))) return []
  const release = join(home, 'release')
  if (!existsSync(release)) return []
  const major = javaMajor(readFileSync(release, 'utf8'))
  return major === undefined ? [] : [{ home: realpathSync(home), major }]
}

/** Reads the major version from a JDK's `release` file: 17 of `"17.0.15"`, 8 of `"1.8.0_392"`. */
export function javaMajor(release: string): number | undefined {
  const match = /^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(release)
  return match ? Number(match[1]) : undefined
}

function usualHomes(env: Environment): string[] {
  const home = env.HOME ?? homedir()
  return [
    ...inside('/usr/lib/jvm'),
    ...inside('/usr/java'),
    ...inside('/opt/java'),
    ...inside('/opt/jdk'),
    ...inside(join(home, '.sdkman', 'candidates', 'java')),
    ...inside(join(home, '.jdks')),
    ...inside('/Library/Java/JavaVirtualMachines').map((jvm) => join(jvm, 'Contents', 'Home')),
    ...inside('/opt/homebrew/opt').map((keg) =>
      join(keg, 'libexec', 'openjdk.jdk', 'Contents', 'Home'),
    ),
    ...onPath(env),
  ]
}

function inside(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((name) => join(folder, name))
}

function onPath(env: Environment): string[] {
  return (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'java'))
    .filter((java) => existsSync(java))
    .map((java) => dirname(dirname(realpathSync(java))))
}

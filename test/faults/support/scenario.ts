import type { BreakableNode } from './node.ts'
import type { Violations } from './violations.ts'

/** What every scenario is given. */
export interface Scene {
  isLong: boolean
  /** how long the soak takes */
  minutes: number
  violations: Violations
  /** the node that scenarios share; whatever they do to it, they leave it running */
  node(): Promise<BreakableNode>
  say(text: string): void
}

/** One line of the table of figures at the end. */
export interface Figure {
  fault: string
  times: number
  outcome: string
}

/** A kind of fault: how it is brought about, and what came of it. */
export interface Scenario {
  name: string
  /** only with --long, or when named: too slow for every change */
  isLongOnly?: boolean
  /** starts nodes of its own, and wants the machine's memory for them */
  hasOwnNodes?: boolean
  /** only when named */
  isByNameOnly?: boolean
  run(scene: Scene): Promise<Figure[]>
}

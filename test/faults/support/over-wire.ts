import { openWire, type Wire } from '../../support/wire.ts'
import type { BreakableNode } from './node.ts'
import type { Figure, Scene } from './scenario.ts'

/** The scenarios' node, and the wire to it on which faults are made. */
export interface Place {
  node: BreakableNode
  wire: Wire
}

/** Plays a scenario over a wire of its own, which goes when the scenario ends. */
export async function overWire(
  scene: Scene,
  play: (place: Place) => Promise<Figure[]>,
): Promise<Figure[]> {
  const node = await scene.node()
  const wire = await openWire(node.url)
  try {
    return await play({ node, wire })
  } finally {
    await wire.close()
  }
}

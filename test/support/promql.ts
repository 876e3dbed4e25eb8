import { parser } from '@prometheus-io/lezer-promql'

/** Where a query does not parse, as text around the fault; empty when it does. */
export function faultsIn(expr: string): string[] {
  const faults: string[] = []
  parser.parse(expr).iterate({
    enter(node) {
      if (node.type.isError)
        faults.push(`at ${node.from}: ${expr.slice(Math.max(0, node.from - 10))}`)
    },
  })
  return faults
}

/** The metrics that a query reads; those of a histogram under the names that are asked for. */
export function metricsIn(expr: string): string[] {
  const names: string[] = []
  parser.parse(expr).iterate({
    enter(node) {
      if (node.name === 'VectorSelector') {
        const identifier = node.node.getChild('Identifier')
        if (identifier) names.push(expr.slice(identifier.from, identifier.to))
      }
    },
  })
  return names
}

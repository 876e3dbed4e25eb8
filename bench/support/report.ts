import { cpus, totalmem } from 'node:os'
import { table } from '../../src/cli/output.ts'
import { CSV_DIFF_VERSION } from './csv-diff.ts'
import { type Figure, isMet } from './line.ts'
import type { Spread } from './measure.ts'
import type { Setting } from './setting.ts'

/** What the figures depend on: machine, versions and settings. */
export async function machineOf({ client, times }: Setting): Promise<string[]> {
  const { nodes } = await client.nodes.info({ metric: ['jvm'] })
  const [node] = Object.values(nodes)
  const version = node?.version ?? 'unknown'
  const heapMb = Math.round(Number(node?.jvm?.mem?.heap_max_in_bytes ?? 0) / 1024 / 1024)
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  return [
    `Machine: ${cpus().length} × ${model}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    `Versions: Node ${process.versions.node}, Elasticsearch ${version} (heap ${heapMb} MB, one shard, no replica), csv-diff ${CSV_DIFF_VERSION}`,
    `Each pair ${times} times, alternately; median (least–most). Ratios are taken turn by turn.`,
  ]
}

const HEAD = ['what', 'ours', 'yardstick', 'ratio or value', 'target', 'holds']

export function tableOf(figures: readonly Figure[]): string {
  return table(
    HEAD,
    figures.map((figure) => [
      figure.what,
      amount(figure.ours, figure.unit),
      figure.yardstick ? `${amount(figure.yardstick.spread, figure.unit)}` : '',
      amount(figure.judged, figure.target?.unit ?? ''),
      targetOf(figure),
      verdictOn(figure),
    ]),
  )
}

function verdictOn(figure: Figure): string {
  if (!figure.target) return ''
  return isMet(figure) ? 'yes' : 'NO'
}

function targetOf({ target }: Figure): string {
  if (!target) return ''
  const sign = target.holds === 'at most' ? '≤' : '≥'
  return `${sign} ${target.value}${target.unit ? ` ${target.unit}` : ' ×'}`
}

function amount({ median, least, most, times }: Spread, unit: string): string {
  const value = `${short(median)}${unit ? ` ${unit}` : ''}`
  return times === 1 ? value : `${value} (${short(least)}–${short(most)})`
}

function short(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toString()
  return value.toPrecision(3)
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const DEPLOY = join(import.meta.dirname, '../../deploy')

export interface AlertRule {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

interface RuleFile {
  groups: { name: string; rules: AlertRule[] }[]
}

export function readRules(): RuleFile {
  return parse(readFileSync(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')) as RuleFile
}

export function alertRules(): AlertRule[] {
  return readRules().groups.flatMap(({ rules }) => rules)
}

export interface Panel {
  id: number
  title: string
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource: { uid: string }
  targets: { refId: string; expr: string }[]
}

export interface Board {
  uid: string
  title: string
  panels: Panel[]
}

export function readBoard(): Board {
  return JSON.parse(readFileSync(join(DEPLOY, 'grafana/boards/registry.json'), 'utf8')) as Board
}

/** The queries of the board, its variables filled in as Grafana would. */
export function boardQueries(): { panel: string; expr: string }[] {
  return readBoard().panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({
      panel: title,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    })),
  )
}

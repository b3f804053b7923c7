/** Alerts that a save of their dashboard deletes or changes: docs/DEPLOYMENTS.md#deletion-and-references. */
import type { Alert } from '#contract/stack/alerts.ts'
import { alertableDisplayTypes, type Dashboard, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { tileName } from './diff.ts'
import { kindLabel } from './kinds.ts'
import { sameJson } from '#domain/json/json.ts'

export interface AlertAtRisk {
  alert: Alert
  /** `deleted` by this save; `redefined`: it watches something else afterwards; `orphaned`: its tile is gone already. */
  effect: 'deleted' | 'redefined' | 'orphaned'
  reason: string
}

/** The alerts of a dashboard, those on tiles that it no longer has among them. */
export function alertsOf(dashboardId: string, alerts: readonly Alert[]): Alert[] {
  return alerts.filter((alert) => alert.source === 'tile' && alert.dashboardId === dashboardId)
}

/** The effects of changing `current` to `draft` on alerts of its tiles. Unaffected alerts are omitted. */
export function alertsAtRisk(current: Dashboard, draft: Dashboard, alerts: readonly Alert[]): AlertAtRisk[] {
  return alertsOf(current.id, alerts).flatMap((alert) => {
    const before = current.tiles.find(({ id }) => id === alert.tileId)
    const after = draft.tiles.find(({ id }) => id === alert.tileId)
    const risk = riskOf(before, after)
    return risk ? [{ alert, ...risk }] : []
  })
}

function riskOf(before: Tile | undefined, after: Tile | undefined): Omit<AlertAtRisk, 'alert'> | null {
  if (!before) return { effect: 'orphaned', reason: 'Its tile is no longer on this dashboard.' }
  if (!after) return { effect: 'deleted', reason: `Its tile “${tileName(before)}” is removed.` }
  if (!canAlert(after)) {
    const kind = kindLabel(after.config?.displayType ?? 'unknown')
    return {
      effect: 'deleted',
      reason: `The kind of its tile “${tileName(after)}” changes to ${kind}, which does not support alerts.`,
    }
  }
  if (!sameJson(watched(before), watched(after))) {
    return { effect: 'redefined', reason: `The query of its tile “${tileName(after)}” changes.` }
  }
  return null
}

/** Whether an alert can watch the tile: a line, stacked bar or number. */
export function canAlert(tile: Tile): boolean {
  return alertableDisplayTypes.includes(tile.config?.displayType ?? '')
}

/** The parts of a configuration that change a tile's numbers, not only its look. */
function watched({ config = {} }: Tile): unknown {
  const {
    displayType: _,
    numberFormat: _format,
    color: _color,
    colorRules: _rules,
    backgroundChart: _chart,
    ...rest
  } = config
  return rest
}

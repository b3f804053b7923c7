/** The worst state of several alerts. */
import { lastRunFailed, neverEvaluated, stateWhere } from '#console/usages/alertStatus.ts'
import type { Alert } from '#contract/stack/alerts.ts'

/** Worst first. An unknown state ranks before OK, because it may be bad. */
const ranking = ['ALERT', lastRunFailed, 'PENDING', 'INSUFFICIENT_DATA', '', neverEvaluated, 'OK', 'DISABLED']

const words: Record<string, string> = {
  ALERT: 'firing',
  PENDING: 'pending',
  INSUFFICIENT_DATA: 'no data',
  OK: 'OK',
  DISABLED: 'disabled',
  [lastRunFailed]: 'last run failed',
  [neverEvaluated]: 'never evaluated',
}

const rank = (state: string) => (ranking.includes(state) ? ranking.indexOf(state) : ranking.indexOf(''))

/** 0 for the worst; no alerts are better than any. */
export const stateRank = (state: string | undefined): number => (state === undefined ? ranking.length : rank(state))

/**
 * The displayed worst state of alerts on tiles; undefined without alerts.
 * @param isEvaluated whether deployments evaluate alerts on a tile, by its ID
 */
export function worstState(
  alerts: readonly Alert[],
  isEvaluated: (tileId: string | null | undefined) => boolean,
): string | undefined {
  return alerts
    .map((alert) => stateWhere(alert, isEvaluated(alert.tileId)) ?? 'OK')
    .toSorted((a, b) => rank(a) - rank(b))[0]
}

export function stateWord(state: string | undefined): string {
  return state === undefined ? 'no alerts' : (words[state] ?? state)
}

/** Alerts by the tile that they watch, for one dashboard. */
export function alertsByTile(dashboardId: string, alerts: readonly Alert[]): Map<string, Alert[]> {
  const byTile = new Map<string, Alert[]>()
  for (const alert of alerts) {
    if (alert.source !== 'tile' || alert.dashboardId !== dashboardId || !alert.tileId) continue
    byTile.set(alert.tileId, [...(byTile.get(alert.tileId) ?? []), alert])
  }
  return byTile
}

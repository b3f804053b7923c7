/**
 * The state of an alert to show. A deployment keeps the state of an alert whose evaluation fails, and reports OK for
 * one that it never evaluates: lists say that instead of the state.
 */
import type { Alert } from '#contract/stack/alerts.ts'
import { isEvaluated, type Tile } from '#contract/stack/dashboards/dashboards.ts'
import { executionProblems } from './executionProblems.ts'

/** Shown in place of a state; the API has no such states. */
export const lastRunFailed = 'LAST_RUN_FAILED'
export const neverEvaluated = 'NEVER_EVALUATED'

type Watching = Pick<Alert, 'source' | 'state' | 'executionErrors'>

/** The state to show of an alert on `tile` (undefined: not known, or none). */
export function shownState(alert: Watching, tile: Tile | undefined): string | undefined {
  return stateWhere(alert, isEvaluated(tile))
}

/**
 * The state to show of an alert. A firing alert stays firing, whatever the result of its last run.
 * @param evaluated whether deployments evaluate alerts on the tile that it watches
 */
export function stateWhere(alert: Watching, evaluated: boolean): string | undefined {
  const { source, state } = alert
  if (state === 'ALERT' || state === 'DISABLED') return state
  if (source === 'tile' && !evaluated) return neverEvaluated
  return executionProblems(alert).some(({ tone }) => tone === 'error') ? lastRunFailed : state
}

/** Problems of the last run that the shown state does not cover: a failed delivery, a failed run of a firing alert. */
export function problemsBeside(alert: Watching, tile: Tile | undefined): string[] {
  const shown = shownState(alert, tile)
  return executionProblems(alert)
    .filter(({ tone }) => shown !== lastRunFailed || tone !== 'error')
    .map(({ title }) => title)
}

/** The plan of a save, without side effects: the dialog shows it and the save carries it out. */
import type { Alert } from '#contract/stack/alerts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Side } from '#console/ui/form/conflict.ts'
import { type AlertAtRisk, alertsAtRisk } from '../model/alertsAtRisk.ts'
import { type DashboardBody, updateBody } from '../model/changes.ts'
import { diffDashboards, type DashboardDiff } from '../model/diff.ts'
import { sameJson } from '#domain/json/json.ts'
import { type Conflict } from '#domain/json/merge.ts'
import { mergeDashboards } from '../model/merge.ts'
import { type Loss, roundTripLosses } from '../model/roundTrip.ts'

export interface PlanInput {
  /** The dashboard that the edit began from. */
  base: Dashboard
  draft: Dashboard
  /** The current dashboard of the deployment. */
  current: Dashboard
  choices: ReadonlyMap<string, Side>
  /** undefined: they could not be read. */
  alerts: readonly Alert[] | undefined
  sources: readonly Source[] | undefined
}

export interface SavePlan {
  /** The dashboard after the save. */
  target: Dashboard
  /** null: nothing to send. */
  body: DashboardBody | null
  changes: DashboardDiff
  /** Somebody else changed it since the edit began. */
  changedByOthers: boolean
  conflicts: Conflict[]
  /** Conflicts without a choice yet. */
  undecided: number
  restored: string[]
  /** null: not known, because the alerts could not be read. */
  alerts: AlertAtRisk[] | null
  losses: Loss[]
}

/** The requests of a save: the read right before it, the write, the read after it. */
export const saveRequests = ['read', 'write', 'read']

export function planSave({ base, draft, current, choices, alerts, sources }: PlanInput): SavePlan {
  const changedByOthers = !sameJson(base, current)
  const merge = changedByOthers
    ? mergeDashboards(base, draft, current, choices)
    : { merged: draft, conflicts: [], restored: [] }
  return {
    target: merge.merged,
    body: updateBody(current, merge.merged),
    changes: diffDashboards(current, merge.merged),
    changedByOthers,
    conflicts: merge.conflicts,
    undecided: merge.conflicts.filter(({ key }) => !choices.has(key)).length,
    restored: merge.restored,
    alerts: alerts ? alertsAtRisk(current, merge.merged, alerts) : null,
    losses: roundTripLosses(current, sources),
  }
}

/** Whether there is nothing to decide and nothing to lose: all that happens is what was edited. */
export function isPlainPlan({ changedByOthers, conflicts, restored, alerts, losses }: SavePlan): boolean {
  return !changedByOthers && conflicts.length + restored.length + losses.length === 0 && alerts?.length === 0
}

/** Whether two plans send the same body and affect the same alerts. A new render computes a new plan. */
export function sameWrite(a: SavePlan, b: SavePlan): boolean {
  return sameJson(a.body, b.body) && sameJson(a.alerts, b.alerts)
}

/** The save of a plan: compared to the stored dashboard in the same step, and read back. */
import { dashboards, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { call } from '#console/api/call.ts'
import type { Saving } from '#console/api/useGuardedSave.ts'
import { compareReadBack, type DashboardBody, type ReadBack } from '../model/changes.ts'
import { sameJson } from '#domain/json/json.ts'

/** The dashboard that is being saved, on its deployment. */
export interface DashboardAccess {
  /** Reads what is stored after a write. */
  read: () => Promise<Dashboard>
  /**
   * Writes if `base` is stored. Throws an ApiFailure: `conflict` with the stored dashboard if it differs,
   * `outcomeUnknown` if the response was lost.
   */
  write: (body: DashboardBody, base: Dashboard) => Promise<unknown>
}

/** The access to one on a connection. */
export const dashboardAccess = (connectionId: string, params: { dashboardId: string }): DashboardAccess => ({
  read: () => call(connectionId, dashboards.get, { params }, { priority: 'readBack' }),
  write: (body, base) => call(connectionId, dashboards.update, { params, body }, { base }),
})

/** The edits that turn the stored dashboard into the target of a plan. */
export interface PlannedWrite {
  body: DashboardBody
  target: Dashboard
}

/** The save that turns `current` into the target. It results in what is stored, or in the target if that was not read. */
export function planSaving(access: DashboardAccess, current: Dashboard, { body, target }: PlannedWrite) {
  const saving: Saving<Dashboard> = {
    base: current,
    record: dashboards.get.result,
    unchanged: (now) => sameJson(current, now),
    done: (now) => compareReadBack(current, target, now).altered.length === 0,
    read: () => access.read(),
    write: async (stored) => {
      await access.write(body, stored)
      return access.read().catch(() => target)
    },
  }
  return saving
}

/** Compares the result of that save with its target. */
export function readBackOf(current: Dashboard, target: Dashboard, stored: Dashboard): ReadBack {
  if (stored === target) return { altered: [], filledIn: 0, unread: true }
  return compareReadBack(current, target, stored)
}

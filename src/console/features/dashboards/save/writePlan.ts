/** Writes a plan: compares it to the stored dashboard in the same step, and reads the result back. */
import { dashboards, type Dashboard } from '#contract/dashboards.ts'
import { guardedSave } from '#console/api/guardedSave.ts'
import { compareReadBack, type DashboardBody, type ReadBack } from '../model/changes.ts'
import { same } from '../model/json.ts'
import { outcomeOf } from './plan.ts'

/** The dashboard that is being saved, on its deployment. */
export interface DashboardAccess {
  read: (priority: 'user' | 'readBack') => Promise<Dashboard>
  /**
   * Writes if `on` is stored. Throws an ApiFailure: `conflict` with the stored dashboard if it differs,
   * `outcomeUnknown` if the response was lost.
   */
  write: (body: DashboardBody, on: Dashboard) => Promise<unknown>
}

export type Written =
  | { outcome: 'saved'; dashboard: Dashboard; readBack: ReadBack }
  /** Nothing was written, because the stored dashboard is not the base of the plan. */
  | { outcome: 'moved'; latest: Dashboard }
  /** The response was lost, and the stored dashboard is unchanged. */
  | { outcome: 'notApplied'; latest: Dashboard }
  /** The response was lost, and the stored dashboard is neither the old nor the new one; null if it cannot be read. */
  | { outcome: 'unknown'; now: Dashboard | null }

/** Writes `body`, which turns `current` into `target`. Rethrows the error if nothing was written. */
export async function writePlan(
  access: DashboardAccess,
  current: Dashboard,
  { body, target }: { body: DashboardBody; target: Dashboard },
): Promise<Written> {
  const saved = await guardedSave({
    base: current,
    record: dashboards.get.result,
    unchanged: (now) => same(now, current),
    write: (on) => access.write(body, on),
  })
  if (saved.outcome === 'conflict') return { outcome: 'moved', latest: saved.theirs }
  if (saved.outcome === 'unknown') return resolveLostResponse(access, current, target)
  return readBack(access, current, target)
}

async function readBack(access: DashboardAccess, before: Dashboard, target: Dashboard): Promise<Written> {
  try {
    const dashboard = await access.read('readBack')
    return { outcome: 'saved', dashboard, readBack: compareReadBack(before, target, dashboard) }
  } catch {
    // It was saved, but not compared. The sent dashboard is used until the stored one can be read.
    return { outcome: 'saved', dashboard: target, readBack: { altered: [], filledIn: 0, unread: true } }
  }
}

/** Determines the outcome of a write whose response was lost. */
async function resolveLostResponse(access: DashboardAccess, before: Dashboard, target: Dashboard): Promise<Written> {
  const now = await access.read('readBack').catch(() => null)
  const outcome = now && outcomeOf(before, target, now)
  if (now && outcome === 'applied') {
    return { outcome: 'saved', dashboard: now, readBack: compareReadBack(before, target, now) }
  }
  return now && outcome === 'notApplied' ? { outcome: 'notApplied', latest: now } : { outcome: 'unknown', now }
}

/**
 * The write of a plan: looked at right before, read back after. The API has no versions, so comparing is the only guard
 * against overwriting somebody else.
 */
import type { Dashboard } from '#contract/dashboards.ts'
import { asFailure } from '#console/api/failure.ts'
import { compareReadBack, type DashboardBody, type ReadBack } from '../model/changes.ts'
import { same } from '../model/json.ts'
import { outcomeOf } from './plan.ts'

/** The dashboard that is being saved, on its deployment. */
export interface Place {
  read: (priority: 'user' | 'readBack') => Promise<Dashboard>
  /** Throws an ApiFailure; `outcomeUnknown` where the answer was lost. */
  write: (body: DashboardBody) => Promise<unknown>
}

export type Written =
  | { outcome: 'saved'; dashboard: Dashboard; readBack: ReadBack }
  /** Nothing was written: it is no longer what the plan was made from. */
  | { outcome: 'moved'; latest: Dashboard }
  /** The answer was lost, and what is there is still what was there before. */
  | { outcome: 'notApplied'; latest: Dashboard }
  /** The answer was lost, and what is there is neither the old nor the new; null: it cannot be read. */
  | { outcome: 'unknown'; now: Dashboard | null }

/** Writes `body`, which turns `current` into `target`. Throws what was thrown where nothing was written. */
export async function writePlan(
  place: Place,
  current: Dashboard,
  { body, target }: { body: DashboardBody; target: Dashboard },
): Promise<Written> {
  const latest = await place.read('user')
  if (!same(latest, current)) return { outcome: 'moved', latest }
  try {
    await place.write(body)
  } catch (error) {
    if (asFailure(error).code !== 'outcomeUnknown') throw error
    return settle(place, current, target)
  }
  return readBack(place, current, target)
}

async function readBack(place: Place, before: Dashboard, target: Dashboard): Promise<Written> {
  try {
    const dashboard = await place.read('readBack')
    return { outcome: 'saved', dashboard, readBack: compareReadBack(before, target, dashboard) }
  } catch {
    // It was taken; only the comparison is missing. What was sent stands in until it can be read.
    return { outcome: 'saved', dashboard: target, readBack: { altered: [], filledIn: 0, unread: true } }
  }
}

/** Finds out what became of a write whose answer was lost. */
async function settle(place: Place, before: Dashboard, target: Dashboard): Promise<Written> {
  const now = await place.read('readBack').catch(() => null)
  const outcome = now && outcomeOf(before, target, now)
  if (now && outcome === 'applied') {
    return { outcome: 'saved', dashboard: now, readBack: compareReadBack(before, target, now) }
  }
  return now && outcome === 'notApplied' ? { outcome: 'notApplied', latest: now } : { outcome: 'unknown', now }
}

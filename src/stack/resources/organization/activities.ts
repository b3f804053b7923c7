/** The activity log: docs/DEPLOYMENTS.md#activities-and-cost. */
import type { Handlers } from '#contract/wire/kernel.ts'
import type { activities } from '#contract/cloud/organization/activities.ts'
import { activitiesBetween, activity } from '../../access/activityLog.ts'
import { Refusal } from '../../refusal.ts'
import type { StackContext } from '../context.ts'

const day = 24 * 60 * 60 * 1000

export const activityHandlers: Handlers<typeof activities, StackContext> = {
  list({ query: { from_date: from, to_date: to } }, { store }) {
    const start = from === undefined ? 0 : Date.parse(from)
    // A date is the whole day.
    const end = to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to) + (to.length === 10 ? day - 1 : 0)
    return activitiesBetween(store, start, end)
  },

  async get({ params }, { store }) {
    const found = await activity(store, params.activityId)
    if (!found) throw new Refusal(404, params.activityId)
    return found
  },
}

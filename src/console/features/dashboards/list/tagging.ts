/** Changing the tags of many dashboards. */
import { type Dashboard, dashboards } from '#contract/dashboards.ts'
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { updateBody } from '../model/changes.ts'

export interface TagChange {
  add: readonly string[]
  remove: readonly string[]
}

/** The tags after a change, each once, in their order. */
function changedTags(tags: readonly string[], { add, remove }: TagChange): string[] {
  return [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag))
}

/** Reads the dashboard right before it is written: an update replaces its tiles whole. */
export async function tagDashboard(connectionId: string, dashboardId: string, change: TagChange): Promise<void> {
  const params = { dashboardId }
  await guardedWrite<Dashboard, unknown>({
    base: await call(connectionId, dashboards.get, { params }, { priority: 'user' }),
    record: dashboards.get.result,
    // Changes by others are kept: the tags are changed in the stored dashboard.
    unchanged: () => true,
    write: async (on) => {
      const body = updateBody(on, { ...on, tags: changedTags(on.tags, change) })
      if (body) await call(connectionId, dashboards.update, { params, body }, { base: on })
    },
  })
}

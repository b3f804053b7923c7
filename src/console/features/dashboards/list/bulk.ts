/** The same done to many dashboards, one after the other: each has its own outcome, and what failed can be tried again. */
import { type Dashboard, dashboards } from '#contract/dashboards.ts'
import { call } from '#console/api/call.ts'
import { type ApiFailure, asFailure } from '#console/api/failure.ts'
import { updateBody } from '../model/changes.ts'

export type BulkKind = 'delete' | 'tag' | 'export'

export type Outcome =
  | { state: 'waiting' }
  | { state: 'running' }
  | { state: 'done' }
  | { state: 'failed'; failure: ApiFailure }
  /** Not tried, because one before it failed in a way that all would. */
  | { state: 'left' }

export interface TagChange {
  add: readonly string[]
  remove: readonly string[]
}

/** The tags after a change, each once, in their order. */
export function changedTags(tags: readonly string[], { add, remove }: TagChange): string[] {
  return [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag))
}

export async function deleteOne(connectionId: string, dashboardId: string): Promise<void> {
  await call(connectionId, dashboards.delete, { params: { dashboardId } })
}

/** Reads the dashboard right before it is written: an update replaces its tiles whole. */
export async function tagOne(connectionId: string, dashboardId: string, change: TagChange): Promise<void> {
  const params = { dashboardId }
  const current: Dashboard = await call(connectionId, dashboards.get, { params }, { priority: 'user' })
  const body = updateBody(current, { ...current, tags: changedTags(current.tags, change) })
  if (body) await call(connectionId, dashboards.update, { params, body })
}

/** Failures after which going on makes no sense: the key, the lock, the budget. */
const stopping = ['keyRejected', 'forbidden', 'readOnly', 'signedOut', 'notOffered', 'rateLimited', 'unreachable']

/** Runs a task for each id in turn and tells each outcome. Stops where all others would fail too, or when told to. */
export async function runBulk(
  ids: readonly string[],
  task: (id: string) => Promise<void>,
  tell: (id: string, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  let stopped = false
  for (const id of ids) {
    if (stopped || signal.aborted) {
      tell(id, { state: 'left' })
      continue
    }
    tell(id, { state: 'running' })
    try {
      await task(id)
      tell(id, { state: 'done' })
    } catch (error) {
      const failure = asFailure(error)
      tell(id, { state: 'failed', failure })
      stopped = stopping.includes(failure.code)
    }
  }
}

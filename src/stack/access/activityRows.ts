/** The activity log, as it is stored: append-only, without old or new values. */
import { randomUUID } from 'node:crypto'
import type { Activity } from '#contract/cloud/organization/activities.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { collection, documentsOf } from '../store/collection.ts'
import type { Queries } from '../store/store.ts'

const activityRows = collection<Activity>('activities', {
  columns: ({ createdAt }) => ({ created_at: Date.parse(createdAt) }),
})

/** The most entries that one response has: the newest. */
const maxEntries = 10_000

/** The content of an entry. Its ID and time are set here. */
type Entry = Pick<
  Activity,
  | 'type'
  | 'actorType'
  | 'actorId'
  | 'actorDetails'
  | 'actorIpAddress'
  | 'userAgent'
  | 'organizationId'
  | 'serviceId'
  | 'targetKeyId'
  | 'keyUpdateType'
>

export async function addActivity(queries: Queries, entry: Entry): Promise<void> {
  await activityRows.insert(queries, { id: randomUUID(), createdAt: currentIsoTime(), ...entry })
}

export const activity = (queries: Queries, id: string): Promise<Activity | undefined> => activityRows.get(queries, id)

/** The newest first, between two times in milliseconds, both included. */
export async function activitiesBetween(queries: Queries, from: number, to: number): Promise<Activity[]> {
  const rows = await queries.rows(
    'SELECT id, document FROM activities WHERE created_at >= ? AND created_at <= ? ORDER BY seq DESC LIMIT ?',
    [from, to, maxEntries],
  )
  return documentsOf<Activity>('activities', rows)
}

/** Undo of a delete: the API can only create new records. */
import type { Connection } from '#contract/console/connections.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { startJob } from './jobs.ts'

interface Restoring<T, Made> {
  connection: Connection
  /** "Bring back 3 alerts". */
  title: string
  nameOf: (deleted: T) => string
  make: (deleted: T) => Promise<Made>
  /** "Alert Errors is back with the new id 66a1." */
  one: (deleted: T, made: Made) => string
  /** "3 alerts are back with new ids." */
  many: (count: number) => string
}

/** Recreates the records one by one as a job of the frame. Resolves when the job has ended. */
export function restoreAll<T extends { id: string }, Made>(
  deleted: readonly T[],
  { connection, title, nameOf, make, one, many }: Restoring<T, Made>,
): Promise<void> {
  const made = new Map<string, { record: T; again: Made }>()
  return new Promise((ended) => {
    startJob({
      connection,
      title,
      rows: deleted.map((record) => ({ id: record.id, name: nameOf(record), record })),
      task: async ({ record }) => {
        made.set(record.id, { record, again: await make(record) })
      },
      onEnd: (done) => {
        const [only] = done.flatMap((id) => made.get(id) ?? [])
        if (only) toast({ tone: 'ok', text: done.length === 1 ? one(only.record, only.again) : many(done.length) })
        ended()
      },
    })
  })
}

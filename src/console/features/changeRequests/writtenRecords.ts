/** Records that a request changed or deleted: the history can give them back. */
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'
import type { RestoreInput } from '#contract/console/runs.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'

type Records = NonNullable<RestoreInput['records']>

export function writtenRecords({ approved, outcomes }: ChangeRequestDetail): Records {
  const done = new Set(outcomes.filter(({ state }) => state === 'done').map(({ key }) => key))
  return (approved?.changes ?? []).flatMap(({ key, kind, recordId, action }) => {
    const known = recordKinds.find((candidate) => candidate === kind)
    const isEdit = action === 'update' || action === 'delete'
    return known && isEdit && recordId !== null && done.has(key) ? [{ kind: known, id: recordId }] : []
  })
}

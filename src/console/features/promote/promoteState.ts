/** The state of a promotion in its address: from where, to where, which records. */
import { z } from 'zod'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'

const listed = (text: string) => text.split(',').filter((id) => id !== '')
const ids = z.string().catch('').transform(listed)

export interface ChosenRecord {
  kind: RecordKind
  id: string
}

export const promoteState = z.object({
  from: z.string().optional().catch(undefined),
  /** The connections to copy to. Undefined until somebody chooses. */
  to: z.string().transform(listed).optional().catch(undefined),
  /** `alerts/ID,dashboards/ID`. */
  records: ids.transform((texts) => texts.flatMap(recordOf)),
  /** The runs that were started from here. */
  runs: ids,
})

function recordOf(text: string): ChosenRecord[] {
  const [kind, id] = text.split('/')
  const known = recordKinds.find((recordKind) => recordKind === kind)
  return known && id ? [{ kind: known, id }] : []
}

/** The targets that somebody chose, as they are in the address: a text also for none. */
export function targetsText(connectionIds: readonly string[]): string {
  return connectionIds.join(',') || 'none'
}

export function recordsText(records: readonly ChosenRecord[]): string | undefined {
  return records.map(({ kind, id }) => `${kind}/${id}`).join(',') || undefined
}

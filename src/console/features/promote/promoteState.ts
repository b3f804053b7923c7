/** The state of a promotion in its address: from where, to where, which records. */
import { z } from 'zod'
import { recordKinds, type RecordKind } from '#domain/records/kinds.ts'

const ids = z
  .string()
  .catch('')
  .transform((text) => text.split(',').filter((id) => id !== ''))

export interface ChosenRecord {
  kind: RecordKind
  id: string
}

export const promoteState = z.object({
  from: z.string().optional().catch(undefined),
  to: ids,
  /** `alerts/ID,dashboards/ID`. */
  records: ids.transform((texts) => texts.flatMap(recordOf)),
  /** The runs that were started from here. */
  runs: ids,
})

function recordOf(text: string): ChosenRecord[] {
  const [kind, id] = text.split('/')
  const known = recordKinds.find((one) => one === kind)
  return known && id ? [{ kind: known, id }] : []
}

export function recordsText(records: readonly ChosenRecord[]): string | undefined {
  return records.map(({ kind, id }) => `${kind}/${id}`).join(',') || undefined
}

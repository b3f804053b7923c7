/** The current effect of a change request, and how it is carried out. */
import type { RequestedChange } from '#contract/console/changeRequests.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { FieldChange } from '#domain/json/diff.ts'
import { sameJson, valueAt } from '#domain/json/json.ts'
import { maskedFieldOf } from '../../resources/maskedField.ts'

/** Changed fields of one record that are shown. */
const maxFields = 200

export interface PlannedChange {
  view: RequestedChange
  /** Equal for two plans only if they send the same data to the same record. */
  identity: string
}

/**
 * The fields that a change sets, masked.
 * @param asked the record when the change was asked for; undefined if there was none
 */
export function fieldsOf(
  endpoint: Endpoint,
  changes: readonly FieldChange[],
  asked: unknown,
): Pick<RequestedChange, 'fields' | 'fieldCount'> {
  const shown = changes.slice(0, maxFields).map(({ path, before, after }) => {
    const atRequest = valueAt(asked, path)
    const hasMoved = asked !== undefined && !sameJson(atRequest ?? null, before ?? null)
    return {
      path: [...path],
      before: maskedFieldOf(endpoint, path, before),
      after: maskedFieldOf(endpoint, path, after),
      ...(hasMoved && { moved: true as const, asked: maskedFieldOf(endpoint, path, atRequest) }),
    }
  })
  return { fields: shown, fieldCount: changes.length }
}

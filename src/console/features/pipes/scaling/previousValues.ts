/** Values before a change: shown while the deployment reports placeholders, and sent to revert the change. */
import type { PendingChange } from '#console/records/pendingChanges/pendingChanges.ts'
import { changedValues } from './draft.ts'
import type { Values } from '../model/scalingParameters.ts'

/** The numeric values; the others are unknown. */
export function numericValues(values: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([field, value]): [string, number][] =>
      typeof value === 'number' ? [[field, value]] : [],
    ),
  )
}

/** The reported values, with previous values where none is reported. */
export function withPreviousValues(current: Values, previous: PendingChange['previous'] = {}): Values {
  const known = numericValues(previous)
  return Object.fromEntries(Object.entries(current).map(([field, value]) => [field, value ?? known[field] ?? null]))
}

/** The values that revert a change. Null if one is unknown or nothing would change. */
export function revertValues(
  { values, previous }: Pick<PendingChange, 'values' | 'previous'>,
  expected: Values,
): Record<string, number> | null {
  const known = numericValues(previous)
  const fields = Object.keys(values)
  if (!fields.every((field) => field in known)) return null
  const back = changedValues(Object.fromEntries(fields.map((field) => [field, known[field] ?? null])), expected)
  return Object.keys(back).length > 0 ? back : null
}

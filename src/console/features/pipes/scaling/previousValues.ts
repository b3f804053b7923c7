/** What held before a change: shown while the deployment reports placeholders, and what one click goes back to. */
import type { PendingChange } from '#console/shell/pendingChanges/pendingChanges.ts'
import { touched } from './draft.ts'
import type { Values } from '../model/scalingParameters.ts'

/** The values that are numbers: the others are not known. */
export function numbersOf(values: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([field, value]): [string, number][] =>
      typeof value === 'number' ? [[field, value]] : [],
    ),
  )
}

/** What is reported, and what held before the last change where nothing is. */
export function withFormer(current: Values, former: PendingChange['former'] = {}): Values {
  const known = numbersOf(former)
  return Object.fromEntries(Object.entries(current).map(([field, value]) => [field, value ?? known[field] ?? null]))
}

/** The values to send to go back; null where one of them is not known, or nothing would change. */
export function formerOf(
  { values, former }: Pick<PendingChange, 'values' | 'former'>,
  coming: Values,
): Record<string, number> | null {
  const known = numbersOf(former)
  const fields = Object.keys(values)
  if (!fields.every((field) => field in known)) return null
  const back = touched(Object.fromEntries(fields.map((field) => [field, known[field] ?? null])), coming)
  return Object.keys(back).length > 0 ? back : null
}

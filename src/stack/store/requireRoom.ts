/** How many records there may be. */
import { formatValue } from '#domain/charts/units.ts'
import { refuse } from '../refusal.ts'
import type { Queries } from './store.ts'

export interface Limit {
  rows: { count(queries: Queries): Promise<number> }
  most: number
  /** As the error says it: "A team has at most 1,000 members. Remove one first". */
  owner: 'A stack' | 'A team' | 'An organization'
  records: string
  remedy: 'Delete one first' | 'Remove one first'
}

/**
 * Called in the transaction that adds a record: write transactions run one after another, so two requests cannot both take
 * the last place.
 * @throws Refusal 400 that names the limit, if there is no room for another record
 */
export async function requireRoom(queries: Queries, { rows, most, owner, records, remedy }: Limit): Promise<void> {
  if ((await rows.count(queries)) < most) return
  throw refuse(`${owner} has at most ${formatValue(most)} ${records}. ${remedy}`)
}

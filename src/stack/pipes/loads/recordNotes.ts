/** Notes for people about the records of a pipe, as sentences of its state. */
import { formatValue } from '#domain/charts/units.ts'
import { counted } from '#domain/text/words.ts'
import type { Queries } from '../../store/store.ts'
import { nullsOf, totalsOf } from './loadTotals.ts'

const shownFields = 5

/** @returns sentences about bad records, and about nulls that became defaults; none without them */
export async function recordNotes(queries: Queries, pipeId: string): Promise<string[]> {
  const { badRecords } = await totalsOf(queries, pipeId)
  const nulls = await nullsOf(queries, pipeId)
  const count = nulls.reduce((sum, { count }) => sum + count, 0)
  const shown = nulls.slice(0, shownFields).map(({ field, count: of }) => `${field} ${formatValue(of)}`)
  const more = nulls.length > shownFields ? [`${nulls.length - shownFields} more fields`] : []
  return [
    ...(badRecords > 0 ? [`${counted(badRecords, 'bad record')}, see their table`] : []),
    ...(count > 0
      ? [
          `${counted(count, 'null value')} became the default of ${nulls.length === 1 ? 'its column' : 'their columns'}: ${[...shown, ...more].join(', ')}`,
        ]
      : []),
  ]
}

import { formatValue, type Unit } from '#domain/charts/units.ts'
import type { Total } from './numbers.ts'
import type { ResultUnits } from './query.ts'
import { letters } from './state.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './explorer.module.css'

interface NumberViewProps {
  totals: readonly Total[]
  /** The compared values of other periods or connections, by label. */
  others: readonly { name: string; totals: readonly Total[] }[]
  units: ResultUnits
  label: string
  stale: boolean
}

/** More figures than this are a table. */
const maxShown = 24

/** One number for each series and group over the whole range, with the compared values below it. */
export function NumberView({ totals, others, units, label, stale }: NumberViewProps) {
  const shown = totals.slice(0, maxShown)
  return (
    <>
      <ul aria-label={label} className={css.numberView} style={{ opacity: stale ? '0.45' : '1' }}>
        {shown.map((total) => (
          <li key={total.id} className={css.series}>
            <Text color="textSecondary" className={css.numberLabel}>
              {total.label}
            </Text>
            <div className={css.numberValue}>
              {total.approximate ? '≈ ' : ''}
              {formatValue(total.value, unitOf(total, units))}
            </div>
            {others.map(({ name, totals: otherTotals }) => (
              <Text key={name} variant="caption" color="textSecondary" component="div">
                {name}:{' '}
                {compared(total, otherTotals.find(({ id }) => id === total.id)?.value ?? null, unitOf(total, units))}
              </Text>
            ))}
          </li>
        ))}
      </ul>
      {totals.length > shown.length && (
        <Text variant="caption" color="textSecondary">
          Showing the {shown.length} largest of {totals.length}. Use the table to see all.
        </Text>
      )}
      {shown.some(({ approximate }) => approximate) && (
        <Text variant="caption" color="textSecondary" component="p">
          ≈ Approximate: combined from several buckets.
        </Text>
      )}
    </>
  )
}

/** The letter of a series, or the formula, begins the ID, and a slash follows it. */
function unitOf({ id }: Total, { series, common }: ResultUnits): Unit {
  const [letter] = id.split('/', 1)
  return series[letters.findIndex((candidate) => candidate === letter)] ?? common
}

function compared({ value }: Total, other: number | null, unit: Unit): string {
  const words = formatValue(other, unit)
  if (value === null || other === null || other === 0) return words
  const change = (value - other) / Math.abs(other)
  return `${words} (${change >= 0 ? '+' : ''}${formatValue(Math.round(change * 1000) / 10, 'percent')})`
}

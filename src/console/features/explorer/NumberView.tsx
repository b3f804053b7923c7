import { formatValue, type Unit } from '#domain/charts/units.ts'
import { comparisonName } from './comparison/comparing.ts'
import { type Total, totalsOf } from './numbers.ts'
import type { ResultUnits } from './query.ts'
import { letters } from './state.ts'
import type { ExplorerData } from './useExplorerData.ts'
import type { ShownResult } from './useExplorerResult.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from './explorer.module.css'

interface NumberViewProps {
  result: ShownResult
  data: ExplorerData
}

/** More figures than this are a table. */
const maxShown = 24

/** One number for each series and group over the whole range, with the compared values below it. */
export function NumberView({ result, data }: NumberViewProps) {
  const { units } = result
  const totals = totalsOf(data.points, result.explorer.state, data.request)
  const others = comparedTotals(result, data)
  const shown = totals.slice(0, maxShown)
  return (
    <>
      <ul aria-label={result.title} className={css.numberView} style={{ opacity: result.isStale ? '0.45' : '1' }}>
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
                {comparedText(
                  total,
                  otherTotals.find(({ id }) => id === total.id)?.value ?? null,
                  unitOf(total, units),
                )}
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

/** The values of the compared range and of the other connection, with the name of each. */
function comparedTotals({ explorer: { state }, overlay }: ShownResult, { previous, request }: ExplorerData) {
  const { query, bucketMs, span, earlier } = request
  const compared: { name: string; totals: Total[] }[] = []
  if (previous) {
    const earlierSpan = { from: span.from - earlier, to: span.to - earlier }
    const totals = totalsOf(previous, state, { query, bucketMs, span: earlierSpan })
    compared.push({ name: comparisonName(state.compare), totals })
  }
  if (overlay?.points) {
    compared.push({ name: overlay.connection?.name ?? '', totals: totalsOf(overlay.points, state, request) })
  }
  return compared
}

/** The letter of a series, or the formula, begins the ID, and a slash follows it. */
function unitOf({ id }: Total, { series, common }: ResultUnits): Unit {
  const [letter] = id.split('/', 1)
  return series[letters.findIndex((candidate) => candidate === letter)] ?? common
}

function comparedText({ value }: Total, other: number | null, unit: Unit): string {
  const words = formatValue(other, unit)
  if (value === null || other === null || other === 0) return words
  const change = (value - other) / Math.abs(other)
  return `${words} (${change >= 0 ? '+' : ''}${formatValue(Math.round(change * 1000) / 10, 'percent')})`
}

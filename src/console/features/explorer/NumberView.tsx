import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { formatValue, type Unit } from '#console/ui/units.ts'
import type { Total } from './numbers.ts'

interface NumberViewProps {
  totals: readonly Total[]
  /** The compared values of other periods or connections, by label. */
  others: readonly { name: string; totals: readonly Total[] }[]
  unit: Unit
  label: string
  stale: boolean
}

/** More figures than this are a table. */
const maxShown = 24

/** One number for each series and group over the whole range, with the compared values below it. */
export function NumberView({ totals, others, unit, label, stale }: NumberViewProps) {
  const shown = totals.slice(0, maxShown)
  return (
    <>
      <Box
        component="ul"
        aria-label={label}
        sx={{
          listStyle: 'none',
          m: 0,
          p: 0,
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))',
          gap: 4,
          opacity: stale ? 0.45 : 1,
        }}
      >
        {shown.map((total) => (
          <Box component="li" key={total.id} sx={{ minWidth: 0 }}>
            <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {total.label}
            </Typography>
            <Box sx={{ fontSize: 28, fontWeight: 600, fontVariantNumeric: 'tabular-nums', lineHeight: 1.3 }}>
              {total.approximate ? '≈ ' : ''}
              {formatValue(total.value, unit)}
            </Box>
            {others.map(({ name, totals: there }) => (
              <Typography key={name} variant="caption" color="textSecondary" component="div">
                {name}: {compared(total, there.find(({ id }) => id === total.id)?.value ?? null, unit)}
              </Typography>
            ))}
          </Box>
        ))}
      </Box>
      {totals.length > shown.length && (
        <Typography variant="caption" color="textSecondary">
          Showing the {shown.length} largest of {totals.length}. Use the table to see all.
        </Typography>
      )}
      {shown.some(({ approximate }) => approximate) && (
        <Typography variant="caption" color="textSecondary" component="p">
          ≈ Approximate: combined from several buckets.
        </Typography>
      )}
    </>
  )
}

function compared({ value }: Total, other: number | null, unit: Unit): string {
  const words = formatValue(other, unit)
  if (value === null || other === null || other === 0) return words
  const change = (value - other) / Math.abs(other)
  return `${words} (${change >= 0 ? '+' : ''}${formatValue(Math.round(change * 1000) / 10, 'percent')})`
}

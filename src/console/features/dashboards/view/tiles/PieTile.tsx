import Box from '@mui/material/Box'
import { Cell, Pie, PieChart } from 'recharts'
import type { NumberDisplay } from '#console/telemetry/numberFormat.ts'
import type { TileTotal } from '#console/telemetry/tileData.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { nameColors } from './colors.ts'
import { Value } from './Value.tsx'

/** More slices than this are hard to distinguish: the smallest are combined. */
const maxSlices = 9

interface Slice {
  name: string
  value: number
}

/** Shares of a whole, with their numbers beside them. Negative and missing values have no slice. */
export function PieTile({
  total,
  display,
  label,
  size: room,
}: {
  total: TileTotal
  display: NumberDisplay
  label: string
  size: number
}) {
  const slices = slicesOf(total)
  const colors = nameColors(slices.map(({ name }) => name))
  const sum = slices.reduce((all, { value }) => all + value, 0)
  const size = Math.max(60, Math.min(room - 16, 260))
  return (
    <Box sx={{ display: 'flex', gap: 3, p: 2, flexGrow: 1, minHeight: 0, minWidth: 0, alignItems: 'center' }}>
      <PieChart width={size} height={size} aria-hidden accessibilityLayer={false}>
        <Pie
          data={slices}
          dataKey="value"
          nameKey="name"
          innerRadius={size * 0.28}
          outerRadius={size * 0.48}
          isAnimationActive={false}
          stroke="none"
        >
          {slices.map(({ name }) => (
            <Cell key={name} fill={colors.get(name)} />
          ))}
        </Pie>
      </PieChart>
      <ScrollRegion as="ul" label={label} sx={{ minWidth: 0, flexGrow: 1, maxHeight: '100%' }}>
        {slices.map(({ name, value }) => (
          <Box component="li" key={name} sx={{ display: 'flex', gap: 1.5, alignItems: 'center', minHeight: 24 }}>
            <Box sx={{ width: 10, height: 10, borderRadius: '2px', bgcolor: colors.get(name), flexShrink: 0 }} />
            <Box
              component="span"
              sx={{ flexGrow: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
            >
              {name}
            </Box>
            <span>
              <Value value={value} display={display} approximate={total.columns[0]?.approximate} />
            </span>
            <Box component="span" sx={{ color: 'text.secondary', width: 44, textAlign: 'right' }}>
              {sum > 0 ? `${Math.round((value / sum) * 100)} %` : ''}
            </Box>
          </Box>
        ))}
      </ScrollRegion>
    </Box>
  )
}

function slicesOf(total: TileTotal): Slice[] {
  const all = total.rows.flatMap(({ group, values: [value] }) =>
    value != null && value > 0 ? [{ name: group.join(' · ') || 'all', value }] : [],
  )
  if (all.length <= maxSlices) return all
  const rest = all.slice(maxSlices - 1)
  return [
    ...all.slice(0, maxSlices - 1),
    { name: `${rest.length} others`, value: rest.reduce((sum, { value }) => sum + value, 0) },
  ]
}

import Box from '@mui/material/Box'
import type { NumberDisplay } from '#console/telemetry/numberFormat.ts'
import type { TileTotal } from '#console/telemetry/tileData.ts'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { nameColors } from './colors.ts'
import { Value } from './Value.tsx'

/** Maximum number of bars; a note shows the number of others. */
const maxBars = 100

/** Groups as bars with their numbers beside them: chart and table in one. */
export function BarTile({ total, display, label }: { total: TileTotal; display: NumberDisplay; label: string }) {
  const rows = total.rows.slice(0, maxBars)
  const nameOf = (group: readonly string[]) => group.join(' · ') || 'all'
  const colors = nameColors(rows.map(({ group }) => nameOf(group)))
  const largest = Math.max(...rows.map(({ values }) => Math.abs(values[0] ?? 0)), 0)
  return (
    <ScrollRegion as="ul" label={label} sx={{ flexGrow: 1, minHeight: 0, p: 2 }}>
      {rows.map(({ group, values: [value = null] }) => (
        <Box component="li" key={JSON.stringify(group)} sx={{ mb: 1.5 }}>
          <Box sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}>
            <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
              {nameOf(group)}
            </Box>
            <span>
              <Value value={value} display={display} approximate={total.columns[0]?.approximate} />
            </span>
          </Box>
          <Box sx={{ height: 6, borderRadius: '3px', bgcolor: 'tone.accentSoft' }}>
            <Box
              sx={{
                height: '100%',
                borderRadius: '3px',
                bgcolor: colors.get(nameOf(group)),
                width: `${largest > 0 ? (Math.abs(value ?? 0) / largest) * 100 : 0}%`,
              }}
            />
          </Box>
        </Box>
      ))}
      {total.rows.length > maxBars && (
        <Box component="li" sx={{ color: 'text.secondary' }}>
          Showing the first {maxBars} of {total.rows.length}.
        </Box>
      )}
    </ScrollRegion>
  )
}

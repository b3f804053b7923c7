import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { X } from 'lucide-react'
import { plainStyle, type SeriesStyle } from './palette.ts'
import { Swatch } from './Swatch.tsx'
import type { TooltipRows } from './tooltipRows.ts'
import { formatValue, type Unit } from './units.ts'

interface ChartTooltipProps {
  title: string
  rows: TooltipRows
  styles: ReadonlyMap<string, SeriesStyle>
  unit: Unit
  /** The bucket is not complete. */
  open: boolean
  stacked: boolean
  nearest: string | null
  pinned: boolean
  onClose: () => void
  /** Pixels of the chart: where the cursor stands, and how wide the chart is. */
  x: number
  width: number
}

const gap = 14

/** The values at the cursor, on the side of it that has more room: never under the pointer. */
export function ChartTooltip(props: ChartTooltipProps) {
  const { title, rows, styles, unit, open, stacked, nearest, pinned, onClose, x, width } = props
  const right = x < width / 2
  return (
    <Box
      data-testid="chart-tooltip"
      sx={{
        position: 'absolute',
        top: 0,
        ...(right ? { left: x + gap } : { right: width - x + gap }),
        maxWidth: Math.min(440, (right ? width - x : x) - gap),
        maxHeight: 460,
        overflow: 'auto',
        zIndex: 5,
        pointerEvents: pinned ? 'auto' : 'none',
        bgcolor: 'tone.raised',
        border: 1,
        borderColor: 'tone.edge',
        borderRadius: '8px',
        boxShadow: '0 4px 16px #0000001f',
        px: 2.5,
        py: 2,
        fontSize: 12,
        '& td': { p: 0, py: 0.25, verticalAlign: 'middle' },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 1, fontWeight: 550 }}>
        <Box sx={{ flexGrow: 1 }}>
          {title}
          {open && (
            <Box component="span" sx={{ color: 'text.secondary', fontWeight: 450 }}>
              {' '}
              · not complete
            </Box>
          )}
        </Box>
        {pinned && (
          <IconButton aria-label="Close the pinned values" onClick={onClose} sx={{ width: 24, height: 24, m: -1 }}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </Box>
      <Box component="table" sx={{ borderCollapse: 'collapse', width: '100%' }}>
        <tbody>
          {rows.rows.map(({ series, value }) => (
            <Box component="tr" key={series.id} sx={{ fontWeight: series.id === nearest ? 600 : 450 }}>
              <td style={{ width: 22 }}>
                <Swatch style={styles.get(series.id) ?? plainStyle} ghost={series.ghost} overlay={series.overlay} />
              </td>
              <Box component="td" sx={{ overflowWrap: 'anywhere' }}>
                {series.label}
              </Box>
              <Box component="td" sx={{ textAlign: 'right', whiteSpace: 'nowrap', pl: '16px !important' }}>
                {formatValue(value, series.unit ?? unit)}
              </Box>
            </Box>
          ))}
        </tbody>
      </Box>
      {rows.rows.length === 0 && <Box sx={{ color: 'text.secondary' }}>No values</Box>}
      {rows.more > 0 && <Box sx={{ color: 'text.secondary', mt: 1 }}>+{rows.more} more</Box>}
      {stacked && rows.rows.length > 1 && (
        <Box sx={{ display: 'flex', gap: 4, mt: 1, pt: 1, borderTop: 1, borderColor: 'divider' }}>
          <Box sx={{ flexGrow: 1 }}>Total</Box>
          <span>{formatValue(rows.total, unit)}</span>
        </Box>
      )}
    </Box>
  )
}

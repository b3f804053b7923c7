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

/** One style for the whole: a style for each cell of twenty rows costs more than all else that a move of the pointer does. */
const tooltip = {
  position: 'absolute',
  top: 0,
  maxHeight: 460,
  overflow: 'auto',
  zIndex: 5,
  bgcolor: 'tone.raised',
  border: 1,
  borderColor: 'tone.edge',
  borderRadius: '8px',
  boxShadow: '0 4px 16px #0000001f',
  px: 2.5,
  py: 2,
  fontSize: 12,
  '& .title': { display: 'flex', alignItems: 'center', gap: 2, mb: 1, fontWeight: 550 },
  '& .title > div': { flexGrow: 1 },
  '& .title span': { color: 'text.secondary', fontWeight: 450 },
  '& table': { borderCollapse: 'collapse', width: '100%' },
  '& tr': { fontWeight: 450 },
  '& tr[data-near]': { fontWeight: 600 },
  '& td': { p: 0, py: 0.25, verticalAlign: 'middle' },
  '& td:nth-of-type(1)': { width: 22 },
  '& td:nth-of-type(2)': { overflowWrap: 'anywhere' },
  '& td:nth-of-type(3)': { textAlign: 'right', whiteSpace: 'nowrap', pl: '16px' },
  '& p': { m: 0, color: 'text.secondary' },
  '& table + p': { mt: 1 },
  '& .total': { display: 'flex', gap: 4, mt: 1, pt: 1, borderTop: 1, borderColor: 'divider' },
  '& .total > div': { flexGrow: 1 },
} as const

/** The values at the cursor, on the side of it that has more room: never under the pointer. */
export function ChartTooltip(props: ChartTooltipProps) {
  const { title, rows, styles, unit, open, stacked, nearest, pinned, onClose, x, width } = props
  const right = x < width / 2
  return (
    <Box
      data-testid="chart-tooltip"
      sx={tooltip}
      style={{
        ...(right ? { left: x + gap } : { right: width - x + gap }),
        maxWidth: Math.min(440, (right ? width - x : x) - gap),
        pointerEvents: pinned ? 'auto' : 'none',
      }}
    >
      <div className="title">
        <div>
          {title}
          {open && <span> · not complete</span>}
        </div>
        {pinned && (
          <IconButton aria-label="Close the pinned values" onClick={onClose} sx={{ width: 24, height: 24, m: -1 }}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {rows.rows.length > 0 ? (
        <table>
          <tbody>
            {rows.rows.map(({ series, value }) => (
              <tr key={series.id} data-near={series.id === nearest ? '' : undefined}>
                <td>
                  <Swatch style={styles.get(series.id) ?? plainStyle} ghost={series.ghost} overlay={series.overlay} />
                </td>
                <td>{series.label}</td>
                <td>{formatValue(value, series.unit ?? unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p>No values</p>
      )}
      {rows.more > 0 && <p>+{rows.more} more</p>}
      {stacked && rows.rows.length > 1 && (
        <div className="total">
          <div>Total</div>
          <span>{formatValue(rows.total, unit)}</span>
        </div>
      )}
    </Box>
  )
}

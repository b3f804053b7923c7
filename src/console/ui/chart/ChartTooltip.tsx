import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { Rows3, X } from 'lucide-react'
import { DisabledReason } from '../hint/DisabledReason.tsx'
import type { ChartEvents } from '../series/chartEvents.ts'
import { isStacked } from './chartTypes.ts'
import { defaultStyle } from '../series/palette.ts'
import type { PlotModel } from './plotModel.ts'
import { Swatch } from '../series/Swatch.tsx'
import { formatBucket } from '../time/formatTime.ts'
import { selectedSpan } from '../time/range.ts'
import { formatValue } from '../units.ts'
import type { Pointed } from './pointed.ts'

interface ChartTooltipProps {
  model: PlotModel
  pointed: Pointed
  pinned: boolean
  onClose: () => void
  events?: ChartEvents | undefined
}

const gap = 14

/**
 * The styles of cursor and tooltip, for an element around it that renders rarely: to work it out for each move, or for each of
 * sixty cells, takes longer than the rest of the move.
 */
export const pointerSx = {
  '& .cursor': { position: 'absolute', top: 0, left: 0, pointerEvents: 'none', willChange: 'transform' },
  '& .cursor path': { stroke: 'var(--muted)' },
  '& .cursor circle': { stroke: 'var(--surface)' },
  '& .tooltip': {
    position: 'absolute',
    top: 0,
    width: 'max-content',
    maxHeight: 460,
    overflow: 'auto',
    contain: 'content',
    cursor: 'auto',
    bgcolor: 'tone.raised',
    border: 1,
    borderColor: 'tone.edge',
    borderRadius: '8px',
    boxShadow: '0 4px 16px #0000001f',
    px: 2.5,
    py: 2,
    fontSize: 12,
  },
  '& .tooltip-title': { display: 'flex', alignItems: 'center', gap: 2, mb: 1, fontWeight: 550 },
  '& .tooltip-title > div': { flexGrow: 1 },
  '& .tooltip-title span': { color: 'text.secondary', fontWeight: 450 },
  '& .tooltip table': { borderCollapse: 'collapse', width: '100%' },
  '& .tooltip tr': { fontWeight: 450 },
  '& .tooltip tr[data-near]': { fontWeight: 600 },
  '& .tooltip td': { p: 0, py: 0.25, verticalAlign: 'middle' },
  '& .tooltip td:nth-of-type(1)': { width: 22 },
  '& .tooltip td:nth-of-type(2)': { overflowWrap: 'anywhere' },
  '& .tooltip td:nth-of-type(3)': { textAlign: 'right', whiteSpace: 'nowrap', pl: '16px' },
  '& .tooltip p': { m: 0, color: 'text.secondary' },
  '& .tooltip table + p': { mt: 1 },
  '& .tooltip-total': { display: 'flex', gap: 4, mt: 1, pt: 1, borderTop: 1, borderColor: 'divider' },
  '& .tooltip-events': { mt: 2 },
  '& .tooltip-total > div': { flexGrow: 1 },
} as const

/** The values at the cursor, on the side of it that has more room: never under the pointer. */
export function ChartTooltip({ model, pointed, pinned, onClose, events }: ChartTooltipProps) {
  const { frame, styles, type, unit, bucketMs, zone, width } = model
  const { index, x, nearest, values } = pointed
  const time = frame.times[index]!
  const right = x < width / 2
  return (
    <div
      data-testid="chart-tooltip"
      className="tooltip"
      style={{
        ...(right ? { left: x + gap } : { right: gap - x }),
        maxWidth: Math.min(440, (right ? width - x : x) - gap),
        pointerEvents: pinned ? 'auto' : 'none',
      }}
    >
      <div className="tooltip-title">
        <div>
          {formatBucket(time, bucketMs, zone)}
          {!model.isComplete(time) && <span> · not complete</span>}
        </div>
        {pinned && (
          <IconButton aria-label="Close the pinned values" onClick={onClose} sx={{ width: 24, height: 24, m: -1 }}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {values.rows.length > 0 ? (
        <table>
          <tbody>
            {values.rows.map(({ series, value }, row) => (
              <tr key={row} data-near={series.id === nearest ? '' : undefined}>
                <td>
                  <Swatch style={styles.get(series.id) ?? defaultStyle} ghost={series.ghost} overlay={series.overlay} />
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
      {values.more > 0 && <p>+{values.more} more</p>}
      {isStacked(type) && values.rows.length > 1 && (
        <div className="tooltip-total">
          <div>Total</div>
          <span>{formatValue(values.total, unit)}</span>
        </div>
      )}
      {pinned && events && <PinnedEvents {...{ model, pointed, events }} />}
    </div>
  )
}

/** The way to the events of the pinned bucket: of the series next to the pointer, or of all. */
function PinnedEvents({
  model,
  pointed,
  events,
}: Pick<ChartTooltipProps, 'model' | 'pointed'> & { events: ChartEvents }) {
  const time = model.frame.times[pointed.index]!
  const near = model.frame.rows.find(({ series }) => series.id === pointed.nearest)?.series ?? null
  const series = near && events.problemOf(near) === undefined ? near : null
  const problem = events.problemOf(series)
  return (
    <div className="tooltip-events">
      <DisabledReason reason={problem}>
        <Button
          size="small"
          disabled={problem !== undefined}
          startIcon={<Rows3 size={13} aria-hidden />}
          onClick={() => events.view(series, selectedSpan(time, time + model.bucketMs))}
        >
          View events{series && model.frame.rows.length > 1 ? ` of ${series.label}` : ''}
        </Button>
      </DisabledReason>
    </div>
  )
}

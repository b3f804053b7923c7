import { Rows3, Split, X } from 'lucide-react'
import { DisabledReason } from '../hint/DisabledReason.tsx'
import type { ChartEvents, ChartExplain } from '../series/chartEvents.ts'
import { isStacked } from './chartTypes.ts'
import { defaultStyle } from '../series/palette.ts'
import type { PlotModel } from './plotModel.ts'
import { Swatch } from '../series/Swatch.tsx'
import { formatBucket } from '../time/formatRangeTime.ts'
import { bucketEnd } from '#domain/time/localBuckets.ts'
import { selectedSpan } from '../time/range.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { Pointed } from './pointed.ts'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './chart.module.css'

interface ChartTooltipProps {
  model: PlotModel
  pointed: Pointed
  pinned: boolean
  onClose: () => void
  events?: ChartEvents | undefined
  explain?: ChartExplain | undefined
}

const gap = 14

/** The values at the cursor, on the side of it that has more room: never under the pointer. */
export function ChartTooltip({ model, pointed, pinned, onClose, events, explain }: ChartTooltipProps) {
  const { frame, styles, type, unit, bucketMs, zone, width } = model
  const { index, x, nearest, values } = pointed
  const time = frame.times[index]!
  const right = x < width / 2
  return (
    <div
      data-testid="chart-tooltip"
      className={css.tooltip}
      style={{
        ...(right ? { left: x + gap } : { right: gap - x }),
        maxWidth: Math.min(440, (right ? width - x : x) - gap),
        pointerEvents: pinned ? 'auto' : 'none',
      }}
    >
      <div className={css.tooltipTitle}>
        <div>
          {formatBucket(time, bucketMs, zone)}
          {!model.isComplete(time) && <span> · not complete</span>}
        </div>
        {pinned && (
          <IconButton aria-label="Close the pinned values" onClick={onClose} className={css.tooltipClose} size="small">
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
        values.zeros === 0 && <p>No values</p>
      )}
      {restText(values) && <p>{restText(values)}</p>}
      {isStacked(type) && values.rows.length > 1 && (
        <div className={css.tooltipTotal}>
          <div>Total</div>
          <span>{formatValue(values.total, unit)}</span>
        </div>
      )}
      {pinned && (events || explain) && <PinnedActions {...{ model, pointed, events, explain, onClose }} />}
    </div>
  )
}

/** `4 smaller, 3 at zero, not listed`. */
function restText({ rows, more, zeros }: Pointed['values']): string {
  const parts = [...(more > 0 ? [`${more} smaller`] : []), ...(zeros > 0 ? [`${zeros} at zero`] : [])]
  if (parts.length === 0) return ''
  return rows.length === 0 ? `All ${zeros} at zero` : `${parts.join(', ')}, not listed`
}

type PinnedActionsProps = Omit<ChartTooltipProps, 'pinned'>

/** The way to the events of the pinned bucket, of the series next to the pointer or of all, and to what is different in it. */
function PinnedActions({ model, pointed, events, explain, onClose }: PinnedActionsProps) {
  const time = model.frame.times[pointed.index]!
  const span = selectedSpan(time, bucketEnd(time, model.bucketMs, model.zone))
  const near = model.frame.rows.find(({ series }) => series.id === pointed.nearest)?.series ?? null
  const series = near && events?.problemOf(near) === undefined ? near : null
  const problem = events?.problemOf(series)
  return (
    <div className={css.events}>
      {events && (
        <DisabledReason reason={problem}>
          <Button
            size="small"
            disabled={problem !== undefined}
            startIcon={<Rows3 size={13} aria-hidden />}
            onClick={() => events.view(series, span)}
          >
            View events{series && model.frame.rows.length > 1 ? ` of ${series.label}` : ''}
          </Button>
        </DisabledReason>
      )}
      {explain && (
        <Button
          size="small"
          startIcon={<Split size={13} aria-hidden />}
          onClick={() => {
            onClose()
            explain.run(span)
          }}
        >
          Explain
        </Button>
      )}
    </div>
  )
}

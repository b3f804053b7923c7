import { useQuery } from '@tanstack/react-query'
import { max } from 'd3-array'
import { stripQuery } from '#console/api/gateway/history.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import { formatDay, formatMoment } from '#console/ui/time/formatTime.ts'
import * as css from './history.module.css'

const hour = 3_600_000
const days = 7
const bars = days * 24

interface ChangeStripProps {
  connectionId: string
  /** The chosen moment. */
  at: string | undefined
  onChoose: (at: string | undefined) => void
}

/** Changes per hour of the last week. Its mark is the moment to restore to. */
export function ChangeStrip({ connectionId, at, onChoose }: ChangeStripProps) {
  const now = useNow()
  const end = Math.ceil(now / hour) * hour
  const start = end - bars * hour
  const { data = [] } = useQuery(stripQuery(connectionId, iso(start), iso(end)))
  const highest = max(data, ({ here, outside }) => here + outside) ?? 1
  const x = (time: number) => ((time - start) / hour) * 10
  const chosen = at === undefined ? undefined : Math.min(Math.max(Date.parse(at), start), end)
  return (
    <Panel>
      <div className={css.stripHead}>
        <Text variant="h3" component="h2">
          Changes per hour
        </Text>
        <Text variant="caption" color="textSecondary">
          last 7 days, drag the mark to choose a time
        </Text>
        <Spacer />
        <Legend className={css.here} label="in this console" />
        <Legend className={css.outside} label="outside this console" />
      </div>
      <div className={css.stripPlot}>
        <svg viewBox={`0 0 ${bars * 10} 44`} preserveAspectRatio="none" aria-hidden>
          {chosen !== undefined && (
            <rect className={css.shade} x={x(chosen)} width={x(end) - x(chosen)} y={0} height={44} />
          )}
          <line className={css.stripLine} x1={0} x2={bars * 10} y1={44} y2={44} vectorEffect="non-scaling-stroke" />
          {data.map(({ hour: time, here, outside }) => {
            const left = x(Date.parse(time)) + 1
            const heights = [(here / highest) * 40, (outside / highest) * 40] as const
            return (
              <g key={time}>
                <rect className={css.here} x={left} width={8} y={44 - heights[0]} height={heights[0]} />
                <rect className={css.outside} x={left} width={8} y={44 - heights[0] - heights[1]} height={heights[1]} />
              </g>
            )
          })}
          {chosen !== undefined && (
            <line className={css.mark} x1={x(chosen)} x2={x(chosen)} y1={0} y2={44} vectorEffect="non-scaling-stroke" />
          )}
        </svg>
        <input
          type="range"
          className={css.stripSlider}
          aria-label="Time to restore to"
          aria-valuetext={chosen === undefined ? 'now: nothing to restore' : formatMoment(chosen)}
          min={start}
          max={end}
          step={hour / 12}
          value={chosen ?? end}
          onChange={({ target }) => onChoose(Number(target.value) >= now ? undefined : iso(Number(target.value)))}
        />
        <div className={css.focus} />
        <div className={css.stripDays} aria-hidden>
          {midnights(start, end).map((time) => (
            <span key={time} style={{ left: `${(x(time) / (bars * 10)) * 100}%` }}>
              {formatDay(time)}
            </span>
          ))}
        </div>
      </div>
    </Panel>
  )
}

const iso = (time: number) => new Date(time).toISOString()

/** The beginnings of days, in the time of the browser. Without d3-time, which comes with charts. */
function midnights(start: number, end: number): number[] {
  const days: number[] = []
  const day = new Date(start)
  while (day.setHours(0, 0, 0, 0) < end) {
    if (day.getTime() >= start) days.push(day.getTime())
    day.setDate(day.getDate() + 1)
  }
  return days
}

function Legend({ className, label }: { className: string | undefined; label: string }) {
  return (
    <span className={css.stripLegend}>
      <svg className={css.stripSwatch} viewBox="0 0 9 9" aria-hidden>
        <rect className={className} width={9} height={9} />
      </svg>
      {label}
    </span>
  )
}

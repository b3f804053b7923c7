import { useId, type ReactNode } from 'react'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { counted } from '#domain/text/words.ts'
import { formatRecentSpan } from '#console/ui/time/formatRecent.ts'
import type { Span } from '#domain/time/span.ts'
import { stripRuns, type EvaluatedWindow, type StripRun, type StripState } from './model/evaluatedWindows.ts'
import { stripLabels } from './model/evaluationLabels.ts'
import * as css from './alertDetail.module.css'

interface WindowStatesProps {
  windows: readonly EvaluatedWindow[]
  /** The times of firing before these windows. */
  earlier: readonly Span[]
  /** The range of the time axis. */
  span: Span
  /** Pixels of the axis, and left of it. */
  left: number
  width: number
  now: number
}

const height = 14
/** Windows narrower than this are drawn as one bar with their neighbours of the same state. */
const minCell = 5

/** The state of each window, on the time axis of the chart above it. */
export function WindowStates({ windows, earlier, span, left, width, now }: WindowStatesProps) {
  const hatch = useId()
  const scale = (time: number) => ((time - span.from) / (span.to - span.from)) * width
  const inside = windows.filter(({ start, end }) => end > span.from && start < span.to)
  const first = inside[0]
  const isWide = first !== undefined && scale(first.end) - scale(first.start) >= minCell
  const runs = [
    ...earlier.filter(({ to }) => to > span.from).map((firing): StripRun => ({ ...firing, state: 'firing', count: 0 })),
    ...(isWide ? inside.flatMap((window) => stripRuns([window])) : stripRuns(inside)),
  ]
  const states = new Set(runs.map(({ state }) => state))
  return (
    <div className={css.stateStrip}>
      <div className={css.strip} style={{ paddingLeft: left }}>
        <svg width={width} height={height} aria-hidden style={{ display: 'block', overflow: 'hidden' }}>
          <Hatch id={hatch} />
          {runs.map(({ from, to, state, count }) => {
            const x = Math.max(0, scale(from))
            const length = Math.min(width, scale(to)) - x
            const gap = isWide ? 1 : 0
            return (
              <Cell key={from} {...{ x, state, hatch }} width={Math.max(0.75, length - gap)}>
                {formatRecentSpan(from, to, now)}: {stripLabels[state]}
                {count > 1 ? ` (${counted(count, 'window')})` : ''}
              </Cell>
            )
          })}
        </svg>
      </div>
      <StripLegend states={states} left={left} />
      <VisuallyHidden>{spokenStrip(windows, span)}</VisuallyHidden>
    </div>
  )
}

const colors: Record<StripState, string> = {
  ok: 'var(--ok)',
  empty: 'var(--ok)',
  pending: 'var(--warn)',
  firing: 'var(--bad)',
  unread: 'var(--muted)',
}

interface CellProps {
  x: number
  width: number
  state: StripState
  hatch: string
  children?: ReactNode
}

/** A filled cell; hollow if no row matched, hatched if the window could not be read. */
function Cell({ x, width, state, hatch, children }: CellProps) {
  const outlined = state === 'empty' || state === 'unread'
  const inset = outlined ? 0.5 : 0
  return (
    <rect
      x={x + inset}
      y={inset}
      width={Math.max(0.5, width - 2 * inset)}
      height={height - 2 * inset}
      rx={1.5}
      fill={state === 'unread' ? `url(#${hatch})` : state === 'empty' ? 'none' : colors[state]}
      fillOpacity={state === 'ok' ? 0.45 : 1}
      {...(outlined && { stroke: colors[state], strokeOpacity: state === 'empty' ? 0.7 : 1 })}
    >
      {children && <title>{children}</title>}
    </rect>
  )
}

function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width={2} height={4} fill={colors.unread} />
    </pattern>
  )
}

const order: readonly StripState[] = ['ok', 'empty', 'pending', 'firing', 'unread']

function StripLegend({ states, left }: { states: ReadonlySet<StripState>; left: number }) {
  const hatch = useId()
  return (
    <ul aria-label="States" className={css.stateStripLegend} style={{ paddingLeft: left }}>
      {order
        .filter((state) => states.has(state))
        .map((state) => (
          <li key={state}>
            <svg width={10} height={height} aria-hidden>
              <Hatch id={hatch} />
              <Cell x={0} width={10} {...{ state, hatch }} />
            </svg>
            {stripLabels[state]}
          </li>
        ))}
    </ul>
  )
}

/** "60 windows: 12 firing, 3 pending." */
function spokenStrip(windows: readonly EvaluatedWindow[], span: Span): string {
  const inside = windows.filter(({ start, end }) => end > span.from && start < span.to)
  const parts = order.flatMap((state) => {
    const count = inside.filter((window) => stripRuns([window])[0]?.state === state).length
    return count > 0 ? `${count} ${stripLabels[state].toLowerCase()}` : []
  })
  return `${counted(inside.length, 'window')}: ${parts.join('; ')}.`
}

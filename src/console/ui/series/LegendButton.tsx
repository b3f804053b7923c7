import { type ReactNode, type FocusEvent, type KeyboardEvent, useState, type SyntheticEvent } from 'react'
import type { LegendRow } from './legend.ts'
import { Swatch } from './Swatch.tsx'
import { Rows3 } from 'lucide-react'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import type { ChartEvents } from './chartEvents.ts'
import type { Series } from './series.ts'

/** The effect of clicks in a legend. */
export interface LegendActions {
  /** Shows this series alone, or all again. */
  onIsolate: (id: string) => void
  /** Shows or hides this series. */
  onToggle: (id: string) => void
}

interface LegendButtonProps extends LegendActions {
  row: LegendRow
  /** 0 for the one that Tab leads to. */
  tabIndex: number
  children: ReactNode
}

const help = 'Click to show only this series. Ctrl or Cmd click to show or hide it.'

/** A series in a legend. Space shows or hides it, as Ctrl or Cmd click does. */
export function LegendButton({ row, tabIndex, onIsolate, onToggle, children }: LegendButtonProps) {
  const { series, style, hidden, overLimit } = row
  const off = hidden || overLimit
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      data-legend={series.id}
      data-off={off ? '' : undefined}
      aria-pressed={!hidden}
      title={`${series.label}. ${overLimit ? 'Not drawn: over the limit. Click to draw it alone.' : help}`}
      onClick={(event) => (event.ctrlKey || event.metaKey ? onToggle(series.id) : onIsolate(series.id))}
      onKeyDown={(event) => {
        if (event.key !== ' ') return
        event.preventDefault()
        onToggle(series.id)
      }}
    >
      <Swatch style={style} ghost={series.ghost === true || off} overlay={series.overlay} />
      {children}
    </button>
  )
}

const steps: Partial<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** A legend is one tab stop: arrow keys, Home and End lead from series to series. Its buttons have `data-legend`. */
export function useLegendKeys(ids: readonly string[], { onFocus: point }: { onFocus?: (event: FocusEvent) => void }) {
  const [current, setCurrent] = useState<string | undefined>()
  // Another one, where the current one is no longer listed.
  const stop = current !== undefined && ids.includes(current) ? current : ids[0]

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    const buttons = [...currentTarget.querySelectorAll<HTMLElement>('[data-legend]')]
    const at = buttons.indexOf(target)
    const step = steps[key]
    const to = key === 'Home' ? 0 : key === 'End' ? buttons.length - 1 : step === undefined ? -1 : at + step
    const next = buttons[Math.min(Math.max(to, 0), buttons.length - 1)]
    if (at < 0 || (to < 0 && step === undefined) || !next) return
    event.preventDefault()
    next.focus()
  }
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    point?.(event)
    const id = event.target.getAttribute('data-legend')
    if (id !== null) setCurrent(id)
  }
  return { tabIndexOf: (id: string) => (id === stop ? 0 : -1), keys: { onKeyDown, onFocus } }
}

/**
 * The series of a legend that has the pointer or the focus, by the attribute `data-series`. Only its row shows more than its
 * name: a legend can have hundreds of rows.
 */
export function usePointedSeries(enabled: boolean) {
  const [pointed, setPointed] = useState('')
  const point = ({ target }: SyntheticEvent) => {
    const item = target instanceof Element ? target.closest('[data-series]') : null
    setPointed(item?.getAttribute('data-series') ?? '')
  }
  return {
    pointed,
    handlers: enabled ? { onPointerOver: point, onFocus: point, onPointerLeave: () => setPointed('') } : {},
  }
}

interface ViewEventsButtonProps {
  events: ChartEvents
  series: Series
}

/** The events of one series of a legend. */
export function ViewEventsButton({ events, series }: ViewEventsButtonProps) {
  const problem = events.problemOf(series)
  return (
    <DisabledReason reason={problem}>
      <button
        type="button"
        data-events
        aria-label={`View events of ${series.label}`}
        disabled={problem !== undefined}
        onClick={() => events.view(series)}
        {...(problem === undefined && hint('View events'))}
      >
        <Rows3 size={13} aria-hidden />
      </button>
    </DisabledReason>
  )
}

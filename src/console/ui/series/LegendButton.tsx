import type { ReactNode } from 'react'
import type { LegendRow } from './legend.ts'
import { Swatch } from './Swatch.tsx'

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

import { Rows3 } from 'lucide-react'
import { DisabledReason } from '../hint/DisabledReason.tsx'
import { hint } from '../hint/hint.ts'
import type { ChartEvents } from './chartEvents.ts'
import type { Series } from './series.ts'

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

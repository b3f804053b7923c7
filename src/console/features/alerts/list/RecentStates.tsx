import { hint } from '#console/ui/hint/hint.ts'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import { formatRecentStates, lastChange, useRecentStates } from './useRecentStates.ts'
import { useUnevaluatedLabel } from './evaluationQuery.ts'
import * as css from '../alerts.module.css'

/** Windows that are drawn. */
const shown = 24

/** The states of the last windows, oldest first. */
export function RecentStates({ alert }: { alert: Alert }) {
  const { states, failed } = useRecentStates(useConnection().id, alert)
  const unevaluated = useUnevaluatedLabel()
  if (!states) return failed ? <Unknown /> : null
  const windows = states.windows.slice(0, shown)
  if (windows.length === 0) return <Quiet>{unevaluated}</Quiet>
  const text = formatRecentStates(windows)
  return (
    <span role="img" aria-label={text} {...hint(text)} className={css.strip}>
      {windows.toReversed().map(({ end, state }) => (
        <span key={end} data-state={state} />
      ))}
    </span>
  )
}

/** When the state last changed, as far as the windows that were read reach. */
export function LastChange({ alert }: { alert: Alert }) {
  const { states, failed } = useRecentStates(useConnection().id, alert)
  if (alert.paused?.at) return <Timestamp iso={alert.paused.at} />
  if (!states) return failed ? <Unknown /> : null
  const change = lastChange(states)
  if (!change) return <Quiet>None yet</Quiet>
  if (!change.earlier) return <Timestamp iso={change.at} />
  return (
    <span {...hint('The state did not change in the windows that were read.')}>
      over <Timestamp iso={change.at} />
    </span>
  )
}

function Unknown() {
  return <span {...hint('The evaluations of this alert could not be read.')}>unknown</span>
}

function Quiet({ children }: { children: string }) {
  return <span className={css.quiet}>{children}</span>
}

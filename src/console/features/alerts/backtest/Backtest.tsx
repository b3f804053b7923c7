import { ChartLine, CircleSlash } from 'lucide-react'
import { useState } from 'react'
import { asFailure, type ApiFailure } from '#console/api/failure.ts'
import { formatError } from '#console/api/errors.ts'
import type { TooManyGroups } from '#console/api/groupErrors.ts'
import type { WatchedState } from '#console/charting/watched/useWatchedWindows.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Column } from '#console/ui/layout/Column.tsx'
import { Row } from '#console/ui/layout/Row.tsx'
import { Skeleton } from '#console/ui/base/Skeleton.tsx'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { BacktestFields } from './backtestFields.ts'
import { tooManyText } from './backtestText.ts'
import { useBacktestWindows, type ShortenedRange } from './backtestHooks.ts'
import * as css from '../alerts.module.css'

/** Its chart is loaded beside the first query. */
const BacktestResult = lazyComponent(async () => (await import('./BacktestResult.tsx')).BacktestResult, Reading)

interface BacktestProps {
  fields: BacktestFields
}

/** Errors that a shorter range may avoid: it reads less. */
const limitCodes = new Set<ApiFailure['code']>(['invalid', 'upstreamFailed', 'timeout', 'tooLarge'])

/** The behavior of the form's alert in the last days. */
export function Backtest({ fields }: BacktestProps) {
  const [days, setDays] = useState(7)
  const { state, shortened, tooMany, refresh } = useBacktestWindows(fields.values, days)
  return (
    <Panel title="Backtest" aside={<Header {...{ days, setDays, state, refresh }} />} flush>
      <State {...{ state, fields, days, setDays, shortened, tooMany }} />
    </Panel>
  )
}

interface HeaderProps {
  days: number
  setDays: (days: number) => void
  state: WatchedState
  refresh: () => void
}

function Header({ days, setDays, state, refresh }: HeaderProps) {
  return (
    <Row>
      {state.kind === 'read' && <Text color="textSecondary">{readText(state)}</Text>}
      {state.kind === 'read' && (
        <Button size="small" onClick={refresh}>
          Refresh
        </Button>
      )}
      <ToggleButtons
        label="Range of the backtest"
        value={String(days)}
        options={[...(days === 1 ? [oneDay] : []), ...ranges]}
        onChange={(picked) => setDays(Number(picked))}
      />
    </Row>
  )
}

const oneDay = { value: '1', label: '1 day' }
const ranges = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
]

function readText({ request, milliseconds, queryConnectionName }: Extract<WatchedState, { kind: 'read' }>): string {
  const from = request.windows[0]?.start ?? 0
  const to = request.windows.at(-1)?.end ?? 0
  const through = queryConnectionName === null ? '' : ` through ${queryConnectionName}`
  return `${formatMoment(from)} to ${formatMoment(to)}, read in ${milliseconds} ms${through}`
}

interface StateProps extends BacktestProps {
  state: WatchedState
  days: number
  setDays: (days: number) => void
  shortened: ShortenedRange | null
  /** The shortest range has too many values too. */
  tooMany: TooManyGroups | null
}

function State({ state, fields, days, setDays, shortened, tooMany }: StateProps) {
  switch (state.kind) {
    case 'notChosen':
      return (
        <EmptyState icon={ChartLine} title={state.sentence}>
          The backtest shows when the alert would have fired in the last {days} days.
        </EmptyState>
      )
    case 'unavailable':
      return (
        <EmptyState icon={CircleSlash} title="No backtest">
          {state.sentence}
        </EmptyState>
      )
    case 'failed': {
      if (tooMany) {
        return (
          <div className={css.backtestState}>
            <Notice tone="error" role="alert">
              {tooManyText(shortened?.days ?? days, tooMany)} Group by a column with fewer values, or choose a longer
              interval.
            </Notice>
          </div>
        )
      }
      const { title, sentence, reason } = formatError(state.error)
      return (
        <Column gap={8} className={css.backtestState}>
          <Notice tone="error" role="alert" action={<Button onClick={state.refresh}>Refresh</Button>}>
            {title}. {sentence} {reason}
          </Notice>
          {days > 1 && limitCodes.has(asFailure(state.error).code) && (
            <Button className={css.lastDay} onClick={() => setDays(1)}>
              Use the last day
            </Button>
          )}
        </Column>
      )
    }
    case 'loading':
      return <Reading />
    case 'read':
      return <BacktestResult fields={fields} read={state} days={days} shortened={shortened} />
  }
}

/** As high as the sentence, the chart and the findings. */
function Reading() {
  return (
    <div className={css.backtestState} aria-busy="true" aria-label="Reading the backtest" role="status">
      <Skeleton variant="text" width="60%" height={28} />
      <Skeleton variant="rounded" height={426} />
    </div>
  )
}

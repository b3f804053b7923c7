import { useDeferredValue, useMemo, type ReactNode } from 'react'
import type { ReadWindows } from '#console/charting/watched/useWatchedWindows.ts'
import { counted } from '#domain/text/words.ts'
import { Notice } from '#console/ui/Notice.tsx'
import type { Backtest } from '#domain/alerting/backtest.ts'
import { wasSilenced, type PastSilence } from '#domain/alerting/silence.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { formatLength } from '#console/ui/time/formatLength.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import type { BacktestFields } from './backtestFields.ts'
import { BacktestChart } from './BacktestChart.tsx'
import { thresholdText, tooManyText, isInformation, warningText } from './backtestText.ts'
import { FiringsTable, ViewEvents } from './FiringsTable.tsx'
import { MessagesTable } from './MessagesTable.tsx'
import { SweepChart } from './SweepChart.tsx'
import { useFindings, useReplay, type Replay, type ShortenedRange } from './backtestHooks.ts'
import * as css from '../alerts.module.css'
import { Info, TriangleAlert } from 'lucide-react'
import { formatValue } from '#domain/charts/units.ts'
import type { BacktestWarning } from '#domain/alerting/backtestWarnings.ts'
import type { FlatRegion } from '#domain/alerting/sweep.ts'
import { Button } from '#console/ui/base/Button.tsx'

interface BacktestResultProps {
  fields: BacktestFields
  read: ReadWindows
  days: number
  /** The range that was read instead of `days`, because of too many groups. */
  shortened: ShortenedRange | null
}

/** The sentence, the chart with the threshold, the sweep, the firings and the warnings. */
export function BacktestResult({ fields, read, days, shortened }: BacktestResultProps) {
  const replay = useReplay(fields.values, read)
  const { result } = replay
  const inUnit = thresholdText(fields.values.threshold, read.unit)
  // The sentence and the chart come first.
  const isDrawn = useDeferredValue(true, false)
  const { shortenedFrom, windows } = read.request
  const groupCount = useMemo(
    () => (shortened ? new Set(read.windows.flatMap(({ values }) => values.map(({ key }) => key))).size : 0),
    [shortened, read.windows],
  )
  return (
    <div>
      <Text className={css.sentence} aria-live="polite" data-testid="backtest-sentence">
        {result ? (
          <Sentence
            result={result}
            silences={fields.silences}
            noRows={read.windows.length > 0 && read.windows.every(({ values }) => values.length === 0)}
          />
        ) : (
          missing
        )}
        {inUnit && ` ${inUnit}`}
      </Text>
      {shortened && (
        <div className={css.resultNotice}>
          <Notice tone="info">
            {tooManyText(days, shortened)} The backtest covers the last{' '}
            {shortened.days === 1 ? 'day' : `${shortened.days} days`}, with {counted(groupCount, 'group')}.
          </Notice>
        </div>
      )}
      {shortenedFrom !== null && (
        <div className={css.resultNotice}>
          <Notice tone="info">
            Shortened from {counted(shortened?.days ?? days, 'day')}: a chart query has at most 11,000 buckets. The
            backtest begins {formatMoment(windows[0]?.start ?? 0)}.
          </Notice>
        </div>
      )}
      <BacktestChart fields={fields} read={read} firings={result?.firings ?? []} />
      {isDrawn ? <Findings {...{ fields, read, replay }} /> : <div className={css.findingsPlace} />}
    </div>
  )
}

interface FindingsProps extends Pick<BacktestResultProps, 'fields' | 'read'> {
  replay: Replay
}

/** The sweep, the firings, the messages and the warnings. */
function Findings({ fields, read, replay }: FindingsProps) {
  const { sweep, warnings } = useFindings(fields.values, read, replay)
  const { result } = replay
  const hasSweep = sweep !== null && sweep.points.length > 1
  const fired = result !== null && result.firings.length > 0
  return (
    <>
      <div className={css.resultParts} data-beside={(hasSweep && fired) || undefined}>
        {hasSweep && (
          <div className={css.sweep}>
            <SweepChart
              sweep={sweep}
              unit={read.unit}
              threshold={fields.values.threshold}
              firings={result?.firings.length ?? null}
              onPick={(value) => fields.setNumber('threshold', value)}
            />
          </div>
        )}
        {fired && (
          <div className={css.firings}>
            <FiringsTable firings={result?.firings ?? []} read={read} />
          </div>
        )}
      </div>
      {result && <MessagesTable result={result} windows={read.windows} />}
      <Warnings fields={fields} read={read} warnings={warnings} flat={sweep?.flat ?? null} />
    </>
  )
}

const missing = 'Complete the condition, or drag the line, to see when the alert would have fired.'

interface SentenceProps {
  result: Backtest
  silences: readonly PastSilence[]
  noRows: boolean
}

function Sentence({ result, silences, noRows }: SentenceProps) {
  const { firings, firingMs, messages } = result
  const silenced = firings.filter(({ groupKey, firedAt }) => wasSilenced(silences, groupKey, firedAt)).length
  if (firings.length === 0)
    return noRows ? <>No row matched, so it would not have fired.</> : <>Would not have fired.</>
  return (
    <>
      Would have fired <b>{counted(firings.length, 'time')}</b>, <b>{formatLength(firingMs)}</b> in all,{' '}
      <b>{counted(messages.length, 'message')}</b>.
      {silenced > 0 && ` ${silenced} of ${counted(firings.length, 'firing')} would have begun inside a silence.`}
    </>
  )
}

interface WarningsProps {
  fields: BacktestFields
  read: ReadWindows
  warnings: readonly BacktestWarning[]
  flat: FlatRegion | null
}

/** Warnings before the alert is saved, each with its remedy. */
function Warnings({ warnings, ...rest }: WarningsProps) {
  if (warnings.length === 0) return null
  return (
    <ul aria-label="Warnings" className={css.warnings}>
      {warnings.map((warning) => (
        <li key={warning.kind} className={css.warning}>
          <div className={css.warningsIcon} data-tone={isInformation(warning) ? undefined : 'warning'}>
            {isInformation(warning) ? <Info size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />}
          </div>
          <div className={css.warningsText}>{warningText(warning, rest.read.unit)}</div>
          <Action warning={warning} {...rest} />
        </li>
      ))}
    </ul>
  )
}

function Action({ warning, fields, read, flat }: Omit<WarningsProps, 'warnings'> & { warning: BacktestWarning }) {
  const set = (field: 'threshold' | 'numConsecutiveWindows', value: number): ReactNode => (
    <Button size="small" className={css.warningsAction} onClick={() => fields.setNumber(field, value)}>
      Use {field === 'threshold' ? formatValue(value, read.unit) : `${formatValue(value)} windows`}
    </Button>
  )
  switch (warning.kind) {
    case 'neverFires':
    case 'alwaysFires':
    case 'edge':
      return flat && set('threshold', flat.suggested)
    case 'flaps':
      return warning.calmer && set('numConsecutiveWindows', warning.calmer.windows)
    case 'misaligned':
      return (
        <Button size="small" className={css.warningsAction} onClick={fields.removeOffset}>
          Remove offset
        </Button>
      )
    case 'heldBack':
      return <ViewEvents read={read} from={warning.start} to={warning.end} group={warning.groupKey} />
    default:
      return null
  }
}

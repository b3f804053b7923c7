import { ListFilter } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatError } from '#console/api/errors.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { counted } from '#domain/text/words.ts'
import type { Unit } from '#domain/charts/units.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import { Row } from '#console/ui/layout/Row.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { formatInterval } from '../alertLabels.ts'
import { changesOf, type EvaluatedWindow } from './model/evaluatedWindows.ts'
import { EvaluationsTable } from './EvaluationsTable.tsx'
import type { Evaluations } from './history/useEvaluations.ts'
import * as css from './alertDetail.module.css'

interface EvaluationsPanelProps {
  alert: Alert
  evaluations: Evaluations
  /** The unit of the values. */
  unit: Unit
  /** Whether they are computed from a chart query. */
  computed: boolean
  /** A link to the events of a window, or of one group of it. Undefined where there is none for any window. */
  renderLink: ((window: EvaluatedWindow, group: string | null) => ReactNode) | undefined
}

/** The evaluated windows, those where something changed at first, with older ones on request. */
export function EvaluationsPanel({ alert, evaluations, unit, computed, renderLink }: EvaluationsPanelProps) {
  const [changesOnly, setChangesOnly] = useState(true)
  const { windows, error, refetch, hasMore, older, origin } = evaluations
  const shown = windows && (changesOnly ? changesOf(windows, !hasMore) : windows)
  return (
    <Panel
      title="Evaluations"
      aside={
        <Row>
          {computed ? 'computed' : `every ${formatInterval(alert.interval).replace(/^1 /, '')}`}
          <Button
            size="small"
            aria-pressed={changesOnly}
            startIcon={<ListFilter size={14} aria-hidden />}
            onClick={() => setChangesOnly(!changesOnly)}
            color={changesOnly ? 'primary' : 'inherit'}
          >
            Changes only
          </Button>
        </Row>
      }
      flush
    >
      {windows === undefined && error ? <QueryError error={error} onRetry={refetch} /> : null}
      {windows === undefined && !error ? (
        <PanelText>{computed ? 'Nothing is computed without a chart.' : 'Loading…'}</PanelText>
      ) : null}
      {windows?.length === 0 && (
        <PanelText>
          {alert.paused
            ? 'No window was evaluated. The alert is paused.'
            : 'No window was evaluated yet. A window is evaluated when it has ended.'}
        </PanelText>
      )}
      {windows && windows.length > 0 && shown && (
        <>
          {shown.length > 0 && (
            <EvaluationsTable {...{ windows, shown, unit, renderLink }} showsTime={!computed && origin === undefined} />
          )}
          <Row className={css.evaluationsMore}>
            <Text variant="caption" color="textSecondary">
              {counted(windows.length, 'window')} read
              {shown.length < windows.length && `, ${windows.length - shown.length} without a change not shown`}
              {origin !== undefined && `. ${origin}`}
            </Text>
            {hasMore && (
              <Button size="small" loading={older.pending} onClick={older.read}>
                Show older
              </Button>
            )}
          </Row>
          {older.error ? <SubmitError error={formatError(older.error)} /> : null}
        </>
      )}
    </Panel>
  )
}

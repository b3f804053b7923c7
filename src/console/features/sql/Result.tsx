import { ChartSpline, Download, LayoutDashboard, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatError } from '#console/api/errors.ts'
import { asFailure } from '#console/api/failure.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { rowFileChoices } from '#console/charting/rows/rowFileChoices.ts'
import { QueryWait } from '#console/charting/progress/QueryWait.tsx'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { MenuButton } from '#console/ui/actions/MenuButton.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { formatValue } from '#domain/charts/units.ts'
import { capitalized } from '#domain/text/words.ts'
import type { Connection } from '#contract/console/connections.ts'
import type { SqlResult } from '#contract/stack/sql.ts'
import { lineOf, problemOf, withoutPlace } from './problem.ts'
import { csvLines, jsonLines, tabbedText } from '#console/charting/sqlResult/resultFiles.ts'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { ResultTable } from './ResultTable.tsx'
import type { StatementRun } from './useStatement.ts'
import type { SqlView } from './sqlState.ts'
import * as css from './sql.module.css'

const ResultChart = lazyComponent(async () => (await import('./ResultChart.tsx')).ResultChart)
const SaveSqlTileDialog = lazyComponent(async () => (await import('./SaveSqlTileDialog.tsx')).SaveSqlTileDialog)

interface ResultProps {
  connection: Connection
  run: StatementRun
  view: SqlView
  onView: (view: SqlView) => void
}

/** The result of a statement, or how far it is, or what is wrong with it. */
export function Result({ connection, run, view, onView }: ResultProps) {
  const { data, error, isRunning, isStopped, read } = run
  return (
    <section aria-label="Result" className={css.result}>
      <QueryWait
        connectionId={connection.id}
        reads={[read]}
        isFetching={isRunning}
        isStopped={isStopped}
        onRun={() => run.asked && run.start(run.asked)}
        hasOwnStop={false}
      />
      {error && <StatementFailed error={error} run={run} />}
      {data && <Rows connection={connection} data={data} run={run} view={view} onView={onView} />}
    </section>
  )
}

/** An error of a statement is said with its place; every other error as on other pages. */
function StatementFailed({ error, run }: { error: Error; run: StatementRun }) {
  const statement = run.asked?.statement ?? ''
  if (asFailure(error).code !== 'invalid') {
    return <QueryError error={error} onRetry={() => run.asked && run.start(run.asked)} />
  }
  const [problem] = problemOf(error, statement)
  const place = problem && lineOf(statement, problem.from)
  const sentence = withoutPlace(asFailure(error).detail ?? formatError(error).sentence)
  return (
    <Notice tone="error" role="alert">
      {place && (
        <strong>
          Line {place.line}, column {place.column}:{' '}
        </strong>
      )}
      {place ? sentence : capitalized(sentence)}
    </Notice>
  )
}

interface RowsProps extends ResultProps {
  data: SqlResult
}

function Rows({ connection, data, run, view, onView }: RowsProps) {
  const [saving, setSaving] = useState(false)
  const isPlan = data.columns.length === 1 && data.columns[0]?.name === 'explain'
  const plan = useMemo(() => (isPlan ? data.rows.map(([line]) => String(line)).join('\n') : ''), [data, isPlan])
  return (
    <>
      <div className={css.bar}>
        <Text color="textSecondary" role="status" className={css.facts}>
          {factsOf(data)}
        </Text>
        <Spacer />
        {!isPlan && (
          <>
            <ToggleButtons
              label="View"
              value={view}
              onChange={onView}
              options={[
                { value: 'table', label: <Table2 size={14} aria-hidden />, name: 'Table' },
                { value: 'chart', label: <ChartSpline size={14} aria-hidden />, name: 'Chart' },
              ]}
            />
            <CopyButton label="Copy" text={() => tabbedText(data)} />
            <MenuButton
              icon={Download}
              label="Export"
              choices={rowFileChoices({
                name: 'result',
                detail: 'all rows of the result',
                csv: () => csvLines(data),
                json: () => jsonLines(data),
              })}
            />
            <Button startIcon={<LayoutDashboard size={14} aria-hidden />} onClick={() => setSaving(true)}>
              Save as tile
            </Button>
          </>
        )}
      </div>
      {data.isTruncated && (
        <Notice tone="info">
          There are more rows. These are the first {formatCount(data.rows.length)}: a LIMIT of the statement, or a
          filter, chooses others.
        </Notice>
      )}
      {isPlan ? (
        <pre className={css.plan}>{plan}</pre>
      ) : view === 'chart' ? (
        <ResultChart data={data} />
      ) : (
        <ResultTable data={data} />
      )}
      {saving && run.asked && (
        <SaveSqlTileDialog
          connection={connection}
          statement={run.asked.statement}
          columns={data.columns}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}

const formatCount = (count: number): string => count.toLocaleString('en')

function factsOf({ rows, isTruncated, rowsRead, bytesRead, milliseconds }: SqlResult): string {
  const shown = `${isTruncated ? 'First ' : ''}${formatCount(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`
  const time = milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`
  if (rowsRead === undefined || bytesRead === undefined) return `${shown} in ${time}.`
  return `${shown} in ${time}. Read ${formatCount(rowsRead)} ${rowsRead === 1 ? 'row' : 'rows'}, ${formatValue(bytesRead, 'bytes')}.`
}

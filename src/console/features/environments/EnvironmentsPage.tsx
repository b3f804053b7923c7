import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Network, Plus, RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { baselineOf, prefetchConnectionStates, readConnections } from '#console/api/gateway/environments.ts'
import { paths } from '#console/paths/paths.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { counted } from '#domain/text/words.ts'
import { Page } from '#console/ui/layout/Page.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { formatRecentDay } from '#console/ui/time/formatRecent.ts'
import { Comparison } from './Comparison.tsx'
import { environmentsState } from './environmentsState.ts'
import { countColumns, differencesIn, matrixRows } from './matrixRows.ts'
import { Overview } from './Overview.tsx'
import { useEnvironments, type Environment } from './useEnvironments.ts'
import * as css from './environments.module.css'

export { prefetchConnectionStates as prefetch }

/** All connections side by side: their state, and what differs from one of them. */
export default function EnvironmentsPage() {
  const { data: connections = [], error, refetch } = useQuery(connectionsQuery)
  const [state, setUrl] = useUrlState(environmentsState)
  const baseline = connections.find(({ id }) => id === state.baseline) ?? baselineOf(connections)
  const environments = useEnvironments(connections, baseline?.id ?? '')
  const columns = useMemo(() => environments.map(({ column }) => column), [environments])
  const rows = useMemo(() => matrixRows(columns, baseline?.id ?? ''), [columns, baseline?.id])
  const counts = useMemo(() => countColumns(rows), [rows])
  const differences = [...counts.values()].reduce((sum, column) => sum + differencesIn(column), 0)
  const isSettled = environments.every(({ state: read, problem }) => read !== undefined || problem !== undefined)
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title="Environments"
      state={differences > 0 && <StatusChip tone="warn">{counted(differences, 'difference')}</StatusChip>}
      lead={`Records are matched by name; ids and times do not count as differences.${whenRead(environments)}`}
      actions={<Actions connections={connections} environments={environments} baseline={baseline} />}
    >
      <Overview environments={environments} baseline={baseline} counts={counts} />
      {connections.length < 2 && isSettled && <OneConnection />}
      {(connections.length > 1 || !isSettled) && baseline && (
        <Comparison
          environments={environments}
          baseline={baseline}
          rows={rows}
          counts={counts}
          columns={columns}
          state={state}
          setUrl={setUrl}
        />
      )}
    </Page>
  )
}

function whenRead(environments: readonly Environment[]): string {
  const times = environments.flatMap(({ state }) => state?.readAt ?? []).toSorted()
  const records = environments.flatMap(({ state }) => Object.values(state?.counts ?? {}))
  if (times[0] === undefined) return ''
  return ` Read ${formatRecentDay(times[0])}, ${counted(
    records.reduce((sum, count) => sum + count, 0),
    'record',
  )}.`
}

function OneConnection() {
  return (
    <div className={css.environmentsEmpty}>
      <EmptyState
        icon={Network}
        title="Nothing to compare yet"
        action={
          <LinkButton
            to={paths.newConnection()}
            variant="contained"
            color="primary"
            startIcon={<Plus size={15} aria-hidden />}
          >
            Add connection
          </LinkButton>
        }
      >
        With a second connection, this page shows what differs between the two, record by record and field by field.
      </EmptyState>
    </div>
  )
}

interface ActionsProps {
  connections: readonly Connection[]
  environments: readonly Environment[]
  baseline: Connection | undefined
}

function Actions({ connections, environments, baseline }: ActionsProps) {
  const reading = environments.some((environment) => environment.reading)
  const readAgain = () => {
    // The error is in the query.
    readConnections(connections).catch(() => {})
  }
  return (
    <>
      <Button startIcon={<RefreshCw size={13} aria-hidden />} disabled={reading} onClick={readAgain}>
        Refresh
      </Button>
      {baseline && environments.length > 1 && (
        <LinkButton
          to={paths.promote()}
          variant="contained"
          color="primary"
          startIcon={<ArrowRightLeft size={14} aria-hidden />}
        >
          Promote…
        </LinkButton>
      )}
    </>
  )
}

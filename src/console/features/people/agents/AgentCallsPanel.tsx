import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { auditQuery } from '#console/api/gateway/audit.ts'
import { sessionQuery } from '#console/api/session.ts'
import { paths } from '#console/paths/paths.ts'
import { outcomeLabels, outcomeTones } from '#console/records/audit/auditLabels.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import type { Connection } from '#contract/console/connections.ts'
import * as css from '../people.module.css'

interface AgentCallsPanelProps {
  connections: readonly Connection[]
}

/** The calls of agents, from the audit log, which only administrators of the console see. */
export function AgentCallsPanel({ connections }: AgentCallsPanelProps) {
  const { data: session } = useQuery(sessionQuery)
  if (!session) return null
  return (
    <Panel
      title="Calls of agents"
      flush
      aside={
        !session.limited && (
          <LinkButton to={paths.audit()} search={{ area: 'agent' }}>
            Audit log
          </LinkButton>
        )
      }
    >
      {session.limited ? (
        <PanelText>Administrators of this console see every call of an agent in the audit log.</PanelText>
      ) : (
        <Calls connections={connections} />
      )}
    </Panel>
  )
}

function Calls({ connections }: AgentCallsPanelProps) {
  const query = useInfiniteQuery(auditQuery({ area: 'agent' }))
  const { data, error, refetch } = query
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  if (error) return <QueryError error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingPanels heights={[120]} />
  if (entries.length === 0) return <PanelText>No agent has called a tool yet.</PanelText>
  return (
    <>
      <SmallTable label="Calls of agents" heads={['Time', 'Tool', 'Connection', 'Who', 'Outcome']}>
        {entries.map(({ seq, at, subject, connectionId, actor, outcome, reason }) => (
          <tr key={seq}>
            <td>
              <Timestamp iso={at} />
            </td>
            <td className={css.agentsTool}>{subject}</td>
            <td>
              {connectionId !== null && (connections.find(({ id }) => id === connectionId)?.name ?? connectionId)}
            </td>
            <td>{actor}</td>
            <td>
              <StatusChip tone={outcomeTones[outcome]}>{outcomeLabels[outcome]}</StatusChip>
              {reason !== null && <div className={css.agentsReason}>{reason}</div>}
            </td>
          </tr>
        ))}
      </SmallTable>
      {query.hasNextPage && (
        <div className={css.agentsMore}>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show earlier calls
          </Button>
        </div>
      )}
    </>
  )
}

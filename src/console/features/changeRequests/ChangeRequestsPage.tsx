import { useInfiniteQuery } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import { z } from 'zod'
import { changeRequestsQuery } from '#console/api/gateway/changeRequests.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { LinkButton, TextLink } from '#console/shell/LinkButton.tsx'
import { useUrlState } from '#console/shell/urlState.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { LoadingPanels } from '#console/ui/layout/LoadingPanels.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { type ChangeRequest, changeRequestStates } from '#contract/console/changeRequests.ts'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { counted } from '#domain/text/words.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { originLabels, stateLabels, stateTones } from './changeRequestLabels.ts'
import * as css from './changeRequests.module.css'

const shownStates = ['open', 'closed', ...changeRequestStates] as const
const pageState = z.object({
  state: z.enum(shownStates).optional().catch(undefined),
  connectionId: z.string().optional().catch(undefined),
  who: z.enum(['mine', 'forMe']).optional().catch(undefined),
})

const everything = changeRequestsQuery({ state: undefined, connectionId: undefined, who: undefined })

export function prefetch(): void {
  void queryClient.prefetchInfiniteQuery(everything)
}

/** Changes that wait for approval, and what became of earlier ones. */
export default function ChangeRequestsPage() {
  const { connections } = useFrameConnection()
  const [filters, setFilters] = useUrlState(pageState)
  const { state, connectionId, who } = filters
  const query = useInfiniteQuery(changeRequestsQuery({ state, connectionId, who }))
  const { data, error, refetch } = query
  const requests = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Page
      title="Approvals"
      lead="On connections with two-person approval, a change is applied once a second person has approved it. What agents propose waits on every connection."
    >
      <Panel flush>
        <RequestFilters connections={connections} filters={filters} onChange={setFilters} />
        {error && !data && <QueryError error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingPanels heights={[240]} />}
        {data && requests.length === 0 && (
          <NoRequests
            isFiltered={state !== undefined || connectionId !== undefined || who !== undefined}
            needsApproval={connections.some(({ twoPersonApproval }) => twoPersonApproval)}
          />
        )}
        {requests.length > 0 && <RequestsTable requests={requests} connections={connections} />}
        {query.hasNextPage && (
          <div className={css.requestsMore}>
            <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show earlier requests
            </Button>
          </div>
        )}
      </Panel>
    </Page>
  )
}

interface RequestFiltersProps {
  connections: readonly Connection[]
  filters: z.infer<typeof pageState>
  onChange: (change: Record<string, string>) => void
}

function RequestFilters({ connections, filters, onChange }: RequestFiltersProps) {
  return (
    <div className={css.requestsFilters}>
      <SelectInput
        label="State"
        hiddenLabel
        value={filters.state ?? ''}
        options={[
          { value: '', label: 'Any state' },
          { value: 'open', label: 'Open' },
          { value: 'closed', label: 'Closed' },
          ...changeRequestStates.map((state) => ({ value: state, label: stateLabels[state] })),
        ]}
        onChange={(state) => onChange({ state })}
      />
      <SelectInput
        label="Connection"
        hiddenLabel
        value={filters.connectionId ?? ''}
        options={[
          { value: '', label: 'All connections' },
          ...connections.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(connectionId) => onChange({ connectionId })}
      />
      <SelectInput
        label="Whose"
        hiddenLabel
        value={filters.who ?? ''}
        options={[
          { value: '', label: 'All requesters' },
          { value: 'mine', label: 'Opened by me' },
          { value: 'forMe', label: 'Waiting for me' },
        ]}
        onChange={(who) => onChange({ who })}
      />
    </div>
  )
}

interface NoRequestsProps {
  isFiltered: boolean
  /** Whether any connection needs approval. */
  needsApproval: boolean
}

function NoRequests({ isFiltered, needsApproval }: NoRequestsProps) {
  return (
    <EmptyState
      icon={UserRoundCheck}
      title={isFiltered ? 'No matches' : 'No change requests'}
      action={!isFiltered && !needsApproval && <LinkButton to={paths.connections()}>Choose a connection</LinkButton>}
    >
      {isFiltered && 'No change request fits these filters.'}
      {!isFiltered && needsApproval && 'Changes of connections with two-person approval appear here.'}
      {!isFiltered &&
        !needsApproval &&
        'No connection requires approval. Turn on two-person approval in the approval settings of a connection, for example of production.'}
    </EmptyState>
  )
}

interface RequestsTableProps {
  requests: readonly ChangeRequest[]
  connections: readonly Connection[]
}

/** Change requests, the newest first. */
function RequestsTable({ requests, connections }: RequestsTableProps) {
  return (
    <SmallTable
      label="Change requests"
      heads={['Title', 'Number', 'State', 'Connection', 'Requester', 'Opened', 'Expires']}
    >
      {requests.map((request) => {
        const { id, number, title, state, connectionId, requester, isMine, agent, openedAt, expiresAt } = request
        const connection = connections.find(({ id }) => id === connectionId)
        return (
          <tr key={id}>
            <th scope="row" className={css.requestsTitle}>
              <TextLink row to={paths.changeRequest(id)}>
                {title}
              </TextLink>
              <div className={css.muted}>
                {originLabels[request.origin]}, {counted(request.changes, 'record')}
              </div>
            </th>
            <td>{number}</td>
            <td>
              <StatusChip tone={stateTones[state]}>{stateLabels[state]}</StatusChip>
            </td>
            <td>
              <span className={css.connection}>
                {connection && <StageDot stage={connection.stage} />}
                {connection?.name ?? 'a deleted connection'}
              </span>
            </td>
            <td>{isMine ? (agent === undefined ? 'you' : `agent ${agent}, for you`) : requester}</td>
            <td>
              <Timestamp iso={openedAt} />
            </td>
            <td>{state === 'waiting' && <Timestamp iso={expiresAt} />}</td>
          </tr>
        )
      })}
    </SmallTable>
  )
}

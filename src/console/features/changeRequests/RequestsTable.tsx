import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import { counted } from '#domain/text/words.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import type { ChangeRequest } from '#contract/changeRequests.ts'
import type { Connection } from '#contract/connections.ts'
import { originLabels, stateLabels, stateTones } from './changeRequestLabels.ts'
import css from './ChangeRequestsPage.module.css'

interface RequestsTableProps {
  requests: readonly ChangeRequest[]
  connections: readonly Connection[]
}

/** Change requests, the newest first. */
export function RequestsTable({ requests, connections }: RequestsTableProps) {
  return (
    <SmallTable
      label="Change requests"
      heads={['Title', 'Number', 'State', 'Connection', 'Requester', 'Opened', 'Expires']}
    >
      {requests.map((request) => {
        const { id, number, title, state, connectionId, requester, isMine, agent, openedAt, expiresAt } = request
        const connection = connections.find((one) => one.id === connectionId)
        return (
          <tr key={id}>
            <th scope="row" className={css.title}>
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

import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { StageDot } from '#console/shell/stage/StageChip.tsx'
import table from '#console/ui/base/table.module.css'
import { counted } from '#console/ui/format.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { Timestamp } from '#console/ui/Timestamp.tsx'
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
    <table className={table.table} aria-label="Change requests">
      <thead>
        <tr>
          <th className={css.wide}>Number</th>
          <th>Title</th>
          <th>State</th>
          <th className={css.wide}>Connection</th>
          <th className={css.wide}>Requester</th>
          <th className={css.wide}>Opened</th>
          <th className={css.wide}>Expires</th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => {
          const { id, number, title, state, connectionId, requester, isMine, openedAt, expiresAt } = request
          const connection = connections.find((one) => one.id === connectionId)
          return (
            <tr key={id}>
              <td className={css.wide}>{number}</td>
              <td className={css.title}>
                <TextLink row to={paths.changeRequest(id)}>
                  {title}
                </TextLink>
                <div className={css.muted}>
                  {originLabels[request.origin]}, {counted(request.changes, 'record')}
                </div>
              </td>
              <td>
                <StatusChip tone={stateTones[state]}>{stateLabels[state]}</StatusChip>
              </td>
              <td className={css.wide}>
                <span className={css.connection}>
                  {connection && <StageDot stage={connection.stage} />}
                  {connection?.name ?? 'a deleted connection'}
                </span>
              </td>
              <td className={css.wide}>{isMine ? 'you' : requester}</td>
              <td className={css.wide}>
                <Timestamp iso={openedAt} />
              </td>
              <td className={css.wide}>{state === 'waiting' && <Timestamp iso={expiresAt} />}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

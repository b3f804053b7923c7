import { useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { sessionQuery } from '#console/api/session.ts'
import { ConnectionBadges } from '#console/frame/switcher/ConnectionBadges.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { ChangeRequestDetail, ChangeRequestState } from '#contract/console/changeRequests.ts'
import type { Connection } from '#contract/console/connections.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { originLabels, outcomeTones } from './changeRequestLabels.ts'
import * as css from './changeRequests.module.css'
import { writtenRecords } from './writtenRecords.ts'

// Only administrators may read the audit log.
const RequestAudit = lazyComponent(async () => (await import('./RequestAudit.tsx')).RequestAudit)
const UndoWritesDialog = lazyComponent(async () => (await import('./UndoWritesDialog.tsx')).UndoWritesDialog)

/** The name of a request's end that nobody decided. */
const endLabels: Partial<Record<ChangeRequestState, string>> = { expired: 'Expired', withdrawn: 'Withdrawn' }

interface RequestFactsProps {
  request: ChangeRequestDetail
  connection: Connection | undefined
}

/** The facts of a request next to its plan: author, outcome, and their entries in the audit log. */
export function RequestFacts({ request, connection }: RequestFactsProps) {
  const { origin, requester, agent, openedAt, expiresAt, decidedBy, decidedAt, rights, state } = request
  const { data: session } = useQuery(sessionQuery)
  const administers = session?.signedIn === true && session.limited === undefined
  return (
    <div className={css.requestSide}>
      <Panel title="Request">
        <DescriptionList
          rows={[
            ['Connection', <Place key="place" connection={connection} />],
            ['Kind', originLabels[origin]],
            ['Requester', requester],
            ['Agent', agent],
            ['Opened', formatMoment(openedAt)],
            ['Expires', state === 'waiting' ? formatMoment(expiresAt) : undefined],
            ['Approvers', state === 'waiting' ? rights.approvers : undefined],
            ['Decided by', state === 'withdrawn' ? undefined : decidedBy],
            [endLabels[state] ?? 'Decided', decidedAt && formatMoment(decidedAt)],
          ]}
        />
      </Panel>
      {request.outcomes.length > 0 && <Outcomes request={request} connection={connection} />}
      {administers && <RequestAudit request={request} />}
    </div>
  )
}

function Place({ connection }: Pick<RequestFactsProps, 'connection'>) {
  if (!connection) return 'deleted'
  return (
    <span className={css.recordName}>
      {connection.name} <ConnectionBadges connection={connection} />
    </span>
  )
}

function Outcomes({ request, connection }: RequestFactsProps) {
  const [undoing, setUndoing] = useState(false)
  const names = new Map(request.approved?.changes.map(({ key, name }) => [key, name]))
  const undoable = request.runId === undefined ? writtenRecords(request) : []
  return (
    <Panel title="Outcome">
      <ul className={css.outcomes} aria-label="Outcomes">
        {request.outcomes.map(({ key, state, reason }) => (
          <li key={key}>
            <StatusChip tone={outcomeTones[state]}>{state}</StatusChip> {names.get(key) ?? key}
            {reason !== undefined && <div className={css.muted}>{reason}</div>}
          </li>
        ))}
      </ul>
      {connection && undoable.length > 0 && (
        <div className={css.undo}>
          <Button startIcon={<Undo2 size={13} aria-hidden />} onClick={() => setUndoing(true)}>
            Undo…
          </Button>
        </div>
      )}
      {undoing && connection && (
        <UndoWritesDialog request={request} connection={connection} onClose={() => setUndoing(false)} />
      )}
    </Panel>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { restorePlanQuery, startRestore } from '#console/api/gateway/runs.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { noDecisions } from '#console/records/runs/decisions.ts'
import { PlanDialog } from '#console/records/runs/PlanDialog.tsx'
import type { ChangeRequestDetail } from '#contract/console/changeRequests.ts'
import type { Connection } from '#contract/console/connections.ts'
import { writtenRecords } from './writtenRecords.ts'

interface UndoWritesDialogProps {
  request: ChangeRequestDetail
  connection: Connection
  onClose: () => void
}

/** Gives records back what they were when the request was approved. On a connection with two-person approval, that waits for approval too. */
export function UndoWritesDialog({ request, connection, onClose }: UndoWritesDialogProps) {
  const [decisions, setDecisions] = useState(noDecisions)
  const input = {
    ...(request.decidedAt !== undefined && { time: request.decidedAt }),
    records: writtenRecords(request),
    ...decisions,
  }
  const { data, error, refetch } = useQuery({
    ...restorePlanQuery(connection.id, input),
    placeholderData: keepPreviousData,
  })
  return (
    <PlanDialog
      title={`Undo change request ${request.number}`}
      connection={connection}
      plan={data}
      error={error}
      onRetry={() => void refetch()}
      action="Undo"
      onStart={async (plan) => {
        const [started] = await startRestore(connection.id, input, plan.digest)
        if (started !== undefined) toast({ tone: 'ok', text: 'The records are being restored.' })
        onClose()
      }}
      onClose={onClose}
      mine="before the request"
      since="after the request"
      decisions={decisions}
      onDecide={setDecisions}
    />
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { restorePlanQuery, startRestore } from '#console/api/gateway/runs.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { noDecisions } from '#console/records/runs/decisions.ts'
import { PlanDialog } from '#console/records/runs/PlanDialog.tsx'
import type { RestoreInput } from '#contract/console/runs.ts'

interface RestoreDialogProps {
  title: string
  input: RestoreInput
  onStarted: (runId: string) => void
  onClose: () => void
}

/** The plan of a restore, before it is started. */
export function RestoreDialog({ title, input, onStarted, onClose }: RestoreDialogProps) {
  const connection = useConnection()
  const [decisions, setDecisions] = useState(noDecisions)
  const decided = { ...input, ...decisions }
  const { data, error, refetch } = useQuery({
    ...restorePlanQuery(connection.id, decided),
    placeholderData: keepPreviousData,
  })
  return (
    <PlanDialog
      title={title}
      connection={connection}
      plan={data}
      error={error}
      onRetry={() => void refetch()}
      action="Restore"
      onStart={async (plan) => {
        const [started] = await startRestore(connection.id, decided, plan.digest)
        if (started === undefined) onClose()
        else onStarted(started)
      }}
      onClose={onClose}
      mine="in the history"
      since="at that time"
      decisions={decisions}
      onDecide={setDecisions}
    />
  )
}

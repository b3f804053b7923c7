import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { startUndo, undoPlanQuery } from '#console/api/gateway/runs.ts'
import type { Run } from '#contract/console/runs.ts'
import { useFrameConnection } from '#console/shell/connection.tsx'
import { noDecisions } from './decisions.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { runTitle } from './runLabels.ts'

interface UndoDialogProps {
  run: Run
  onStarted: (runId: string) => void
  onClose: () => void
}

/** The plan to undo a run. Changes that others made since stay. */
export function UndoDialog({ run, onStarted, onClose }: UndoDialogProps) {
  const [decisions, setDecisions] = useState(noDecisions)
  const { data, error, refetch } = useQuery({
    ...undoPlanQuery(run.id, decisions),
    placeholderData: keepPreviousData,
  })
  const { connections } = useFrameConnection()
  const connection = connections.find(({ id }) => id === run.connectionId)
  if (!connection) return null
  return (
    <PlanDialog
      title={`Undo ${runTitle(run)}`}
      connection={connection}
      plan={data}
      error={error}
      onRetry={() => void refetch()}
      action="Undo"
      onStart={async (plan) => {
        const [started] = await startUndo(run, decisions, plan.digest)
        if (started === undefined) onClose()
        else onStarted(started)
      }}
      onClose={onClose}
      mine={`before ${runTitle(run)}`}
      since={`after ${runTitle(run)}`}
      decisions={decisions}
      onDecide={setDecisions}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { restorePlanQuery, startRestore } from '#console/api/gateway/runs.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { PlanDialog } from '#console/shell/runs/PlanDialog.tsx'
import type { RestoreInput } from '#contract/runs.ts'

interface RestoreDialogProps {
  title: string
  input: RestoreInput
  onStarted: (runId: string) => void
  onClose: () => void
}

/** What a restore would do, before it is started. */
export function RestoreDialog({ title, input, onStarted, onClose }: RestoreDialogProps) {
  const connection = useConnection()
  const { data, error, refetch } = useQuery(restorePlanQuery(connection.id, input))
  return (
    <PlanDialog
      title={title}
      connection={connection}
      plan={data}
      error={error}
      onRetry={() => void refetch()}
      action="Restore"
      onStart={async (plan) => {
        const [started] = await startRestore(connection.id, input, plan.digest)
        if (started !== undefined) onStarted(started)
      }}
      onClose={onClose}
    />
  )
}

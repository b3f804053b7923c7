import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { Alert } from '#contract/alerts.ts'
import { deleteAlert, evictAlerts, restoreAlerts } from './deleting.ts'
import { counted } from '#console/ui/format.ts'

interface DeleteAlertsProps {
  chosen: readonly Alert[]
  nameOf: (alert: Alert) => string
  onClose: () => void
}

/** Deletes one after the other, with the result of each; what failed can be tried again, what went can come back. */
export function DeleteAlerts({ chosen, nameOf, onClose }: DeleteAlertsProps) {
  const connection = useConnection()
  const connectionId = connection.id
  const ended = (done: string[]) => {
    const gone = chosen.filter(({ id }) => done.includes(id))
    if (gone.length === 0) return
    toast({
      tone: 'ok',
      text: `${counted(gone.length, 'alert')} deleted.`,
      action: { label: 'Undo', run: () => void restoreAlerts(connection, gone) },
    })
    void evictAlerts(connectionId, done)
  }
  const many = chosen.length === 1 ? 'alert' : `${chosen.length} alerts`
  return (
    <BulkDialog
      title={`Delete ${many}?`}
      rows={chosen.map((alert) => ({ id: alert.id, name: nameOf(alert), alert }))}
      task={({ alert }) => deleteAlert(connectionId, alert)}
      action={`Delete ${many}`}
      danger
      destroys={chosen.length}
      onEnd={ended}
      onClose={onClose}
    >
      They stop being evaluated at once. Undo makes them again from what was read, with new ids and without their
      history.
    </BulkDialog>
  )
}

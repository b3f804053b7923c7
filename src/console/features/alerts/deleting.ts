/** Deleting alerts, and taking it back. */
import { useCallback } from 'react'
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { restoreAll } from '#console/shell/bulk/restoreAll.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { Connection } from '#contract/connections.ts'
import { counted } from '#console/ui/format.ts'
import { alertInput, alerts, type Alert } from '#contract/alerts.ts'
import { sameWritable, writable } from './alertForm.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'

/** Deletes at once, on production after a question: the toast offers to take it back. The API only knows how to make a new one, and the toast says so. */
export function useDeleteAlert(): (alert: Alert, leave?: () => Promise<void>) => Promise<void> {
  const connection = useConnection()
  return useCallback(
    async (alert, leave) => {
      if (connection.stage === 'production' && !(await confirm(deleteQuestion(alert)))) return
      const connectionId = connection.id
      try {
        await deleteAlert(connectionId, alert)
      } catch (error) {
        toastFailure(error)
        return invalidate(connectionId, 'alerts')
      }
      toast({
        tone: 'ok',
        text: `Alert ${alert.name || alert.id} deleted.`,
        action: { label: 'Undo', run: () => void restoreAlerts(connection, [alert]) },
      })
      // Its own page goes first, or it would ask for what is gone.
      await leave?.()
      await evictAlerts(connectionId, [alert.id])
    },
    [connection],
  )
}

const deleteQuestion = ({ name, id }: Alert) => ({
  title: `Delete alert ${name || id}?`,
  body: 'It stops being evaluated at once. Undo recreates it with a new ID and without its history.',
  action: 'Delete alert',
  danger: true,
})

/**
 * Throws ApiFailure, `conflict` where somebody changed it after it was read, but not where somebody else was quicker: it
 * is gone, which is what was asked for.
 */
export function deleteAlert(connectionId: string, alert: Alert): Promise<void> {
  const deleting = guardedWrite({
    base: alert,
    record: alerts.get.result,
    unchanged: (now) => sameWritable(now, alert),
    write: (base) => call(connectionId, alerts.delete, { params: { alertId: alert.id } }, { base }),
  })
  return ignoreNotFound(deleting)
}

/** After a delete: nothing of them is shown any more. */
export async function evictAlerts(connectionId: string, ids: readonly string[]): Promise<void> {
  for (const alertId of ids) queryClient.removeQueries(q(connectionId, alerts.get, { params: { alertId } }))
  await invalidate(connectionId, 'alerts')
}

/** Creates deleted alerts again: same content, new ids, no history. */
export async function restoreAlerts(connection: Connection, deleted: readonly Alert[]): Promise<void> {
  await restoreAll(deleted, {
    connection,
    title: `Bring back ${counted(deleted.length, 'alert')}`,
    nameOf: ({ name, id }) => name || id,
    make: (alert) => call(connection.id, alerts.create, { body: alertInput.parse(writable(alert)) }),
    one: ({ name, id }, again) =>
      `Alert ${name || id} is back as a new alert with the id ${again.id}. Its history starts anew.`,
    many: (count) => `${count} alerts are back as new ones, with new ids. Their history starts anew.`,
  })
  await invalidate(connection.id, 'alerts')
}

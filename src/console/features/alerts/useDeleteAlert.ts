/** Deleting an alert, and taking it back. */
import { useCallback } from 'react'
import { call } from '#console/api/call.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/toastFailure.ts'
import { toast } from '#console/shell/toasts.tsx'
import { alertInput, alerts, type Alert } from '#contract/alerts.ts'
import { writable } from './alertForm.ts'

/** Deletes at once: the toast offers to take it back. The API only knows how to make a new one, and the toast says so. */
export function useDeleteAlert(): (alert: Alert, leave?: () => Promise<void>) => Promise<void> {
  const { id: connectionId } = useConnection()
  const restore = useRestoreAlerts()
  return useCallback(
    async (alert, leave) => {
      const params = { alertId: alert.id }
      try {
        await call(connectionId, alerts.delete, { params })
      } catch (error) {
        toastFailure(error)
        return invalidate(connectionId, 'alerts')
      }
      toast({
        tone: 'ok',
        text: `Alert ${alert.name || alert.id} deleted.`,
        action: { label: 'Undo', run: () => void restore([alert]) },
      })
      // Its own page goes first, or it would ask for what is gone.
      await leave?.()
      queryClient.removeQueries(q(connectionId, alerts.get, { params }))
      await invalidate(connectionId, 'alerts')
    },
    [connectionId, restore],
  )
}

/** Creates deleted alerts again: same content, new id, no history. */
export function useRestoreAlerts(): (deleted: readonly Alert[]) => Promise<void> {
  const { id: connectionId } = useConnection()
  return useCallback(
    async (deleted) => {
      for (const alert of deleted) {
        try {
          const again = await call(connectionId, alerts.create, { body: alertInput.parse(writable(alert)) })
          toast({
            tone: 'ok',
            text: `Alert ${alert.name || alert.id} is back as a new alert with the id ${again.id}. Its history starts anew.`,
          })
        } catch (error) {
          toastFailure(error)
        }
      }
      await invalidate(connectionId, 'alerts')
    },
    [connectionId],
  )
}

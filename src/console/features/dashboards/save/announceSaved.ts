/** The message after a save of a dashboard, with the way back where saves are not reviewed. */
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { Connection } from '#contract/console/connections.ts'
import { type Dashboard, dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { planSave } from './plan.ts'
import { dashboardAccess, planSaving } from './planSaving.ts'
import type { Saved } from './useSave.ts'

/** Keeps the saved dashboard for the page, and says that it is saved: on a local stage with Undo. */
export function announceSaved(connection: Connection, { dashboard, before, deletedAlerts }: Saved): void {
  keep(connection.id, dashboard)
  const isUndone = connection.stage === 'local' && !deletedAlerts
  toast({
    tone: 'ok',
    text: `Dashboard ${dashboard.name} saved`,
    ...(isUndone && { action: { label: 'Undo', run: () => void undoSave(connection.id, dashboard, before) } }),
  })
}

/** Saves the dashboard as it was, unless somebody else changed it since. */
async function undoSave(connectionId: string, saved: Dashboard, before: Dashboard): Promise<void> {
  const { body, target } = planSave({
    base: saved,
    draft: before,
    current: saved,
    choices: new Map(),
    alerts: undefined,
    sources: undefined,
  })
  if (!body) return
  try {
    const access = dashboardAccess(connectionId, { dashboardId: saved.id })
    keep(connectionId, await guardedWrite(planSaving(access, saved, { body, target })))
    await invalidate(connectionId, 'dashboards')
    toast({ tone: 'ok', text: `Save of dashboard ${before.name} undone` })
  } catch (error) {
    toastFailure(error)
  }
}

function keep(connectionId: string, dashboard: Dashboard): void {
  const { queryKey } = q(connectionId, dashboards.get, { params: { dashboardId: dashboard.id } })
  queryClient.setQueryData(queryKey, dashboard)
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Braces, Copy, Download, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { alerts as alertEndpoints } from '#contract/alerts.ts'
import { type Dashboard, dashboards } from '#contract/dashboards.ts'
import { sources as sourceEndpoints } from '#contract/sources.ts'
import { call } from '#console/api/call.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { paths } from '#console/paths.ts'
import { confirm } from '#console/shell/confirm.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/toastFailure.ts'
import { toast } from '#console/shell/toasts.tsx'
import type { Action } from '#console/ui/actions.ts'
import { download } from '#console/ui/download.ts'
import { alertsOf } from '../model/alertsAtRisk.ts'
import { exportName, exportText } from '../model/importExport.ts'
import { copiedWords, createLike } from './copying.ts'
import { DuplicateDialog } from './DuplicateDialog.tsx'

/** What can be done with a whole dashboard, and the dialogs for it. */
export function useDashboardActions(dashboard: Dashboard): { actionsOf: () => Action[]; dialogs: ReactNode } {
  const { id: connectionId, readOnly } = useConnection()
  const navigate = useNavigate()
  const [duplicating, setDuplicating] = useState(false)
  const alerts = useQuery(q(connectionId, alertEndpoints.list, {}))
  const sources = useQuery(q(connectionId, sourceEndpoints.list, {}))
  const own = alertsOf(dashboard.id, alerts.data ?? [])
  const locked = readOnly ? 'This connection is read-only.' : undefined
  const text = () => exportText(dashboard, sources.data ?? [])

  const undo = async () => {
    try {
      toast({ tone: 'ok', text: copiedWords(await createLike(connectionId, dashboard, dashboard.name, own)) })
    } catch (error) {
      toastFailure(error)
    }
  }
  const remove = async () => {
    const sure = await confirm({
      title: `Delete “${dashboard.name}”?`,
      body: deleteWords(dashboard, alerts.data ? own.length : null),
      action: 'Delete dashboard',
      danger: true,
    })
    if (!sure) return
    try {
      await call(connectionId, dashboards.delete, { params: { dashboardId: dashboard.id } })
      void invalidate(connectionId, 'dashboards')
      void invalidate(connectionId, 'alerts')
      toast({ tone: 'ok', text: `Deleted “${dashboard.name}”`, action: { label: 'Undo', run: () => void undo() } })
      await navigate({ to: paths.dashboards(connectionId) })
    } catch (error) {
      toastFailure(error)
    }
  }

  const actionsOf = (): Action[] => [
    { label: 'Duplicate', icon: Copy, run: () => setDuplicating(true), disabled: locked },
    { label: 'Export as JSON', icon: Download, run: () => download(exportName(dashboard), 'application/json', text()) },
    { label: 'Copy JSON', icon: Braces, run: () => void navigator.clipboard.writeText(text()) },
    { label: 'Delete', icon: Trash2, run: () => void remove(), danger: true, disabled: locked },
  ]
  const dialogs = duplicating && (
    <DuplicateDialog dashboard={dashboard} alerts={own} onClose={() => setDuplicating(false)} />
  )
  return { actionsOf, dialogs }
}

/** What deleting takes along. */
export function deleteWords(dashboard: Dashboard, alerts: number | null): string {
  const tiles = dashboard.tiles.length === 1 ? '1 tile' : `${dashboard.tiles.length} tiles`
  const watching =
    alerts === null
      ? 'the alerts on them (they could not be read)'
      : alerts === 0
        ? 'no alerts'
        : alerts === 1
          ? 'the 1 alert on them'
          : `the ${alerts} alerts on them`
  return `Its ${tiles} and ${watching} go with it. Undo creates it anew, with new ids.`
}

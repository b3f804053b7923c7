import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Braces, Copy, Download, FileCode, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { alerts as alertEndpoints } from '#contract/stack/alerts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useEnvironmentActions } from '#console/records/record/useEnvironmentActions.ts'
import { terraformText } from '#console/records/terraformText.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { alertsOf } from '../model/alertsAtRisk.ts'
import { exportText } from '../files/exportFile.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { exportDashboards } from './exporting.ts'

const DeleteDialog = lazyComponent(async () => (await import('./DeleteDialog.tsx')).DeleteDialog)
const DuplicateDialog = lazyComponent(async () => (await import('./DuplicateDialog.tsx')).DuplicateDialog)

/** The actions of a dashboard and their dialogs. */
export function useDashboardActions(dashboard: Dashboard): { actionsOf: () => Action[]; dialogs: ReactNode } {
  const connection = useConnection()
  const connectionId = connection.id
  const navigate = useNavigate()
  const [open, setOpen] = useState<'duplicate' | 'delete' | null>(null)
  const alerts = useQuery(q(connectionId, alertEndpoints.list, {}))
  const sources = useQuery(q(connectionId, sourceEndpoints.list, {}))
  const own = alertsOf(dashboard.id, alerts.data ?? [])
  const locked = lockReason(connection)
  const text = () => exportText(dashboard, sources.data ?? [])
  const copyTerraform = async () => copyText(await terraformText('dashboards', dashboard, connection), 'Configuration')

  const environments = useEnvironmentActions('dashboards')

  const actionsOf = (): Action[] => [
    { label: 'Duplicate', icon: Copy, startsGroup: true, run: () => setOpen('duplicate'), disabled: locked },
    { label: 'Export as JSON', icon: Download, run: () => void exportDashboards(connectionId, [dashboard.id]) },
    { label: 'Copy JSON', icon: Braces, run: () => void copyText(text(), 'Dashboard') },
    { label: 'Copy as Terraform', icon: FileCode, run: () => void copyTerraform() },
    ...environments.ofRecord(dashboard.id),
    { label: 'Delete', icon: Trash2, run: () => setOpen('delete'), danger: true, disabled: locked },
  ]
  const close = () => setOpen(null)
  const dialogs =
    open === 'duplicate' ? (
      <DuplicateDialog dashboard={dashboard} alerts={own} onClose={close} />
    ) : (
      open === 'delete' && (
        <DeleteDialog
          dashboards={[{ id: dashboard.id, name: dashboard.name, tileCount: dashboard.tiles.length }]}
          onClose={close}
          leave={() => navigate({ to: paths.dashboards(connectionId) })}
        />
      )
    )
  return { actionsOf, dialogs }
}

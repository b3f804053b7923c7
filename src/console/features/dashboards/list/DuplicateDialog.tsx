import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#console/api/call.ts'
import { formatError } from '#console/api/errors.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { NameDialog } from '#console/records/record/NameDialog.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import type { Alert } from '#contract/stack/alerts.ts'
import { dashboards, maxDashboardName, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { copyName } from '../model/duplicate.ts'
import { formatCopied, createCopy } from './copying.ts'

interface DuplicateDialogProps {
  dashboard: Pick<Dashboard, 'id' | 'name'>
  /** The alerts on its tiles. */
  alerts: readonly Alert[]
  onClose: () => void
}

/** Creates a copy of the dashboard as it is stored, with new IDs, and with its alerts if selected. */
export function DuplicateDialog({ dashboard, alerts, onClose }: DuplicateDialogProps) {
  const connection = useConnection()
  const navigate = useNavigate()
  const copy = useMutation({
    mutationFn: async ({ name, withAlerts }: { name: string; withAlerts: boolean }) => {
      const params = { dashboardId: dashboard.id }
      const original = await call(connection.id, dashboards.get, { params }, { priority: 'user' })
      return createCopy(connection.id, original, name, withAlerts ? alerts : [])
    },
    onSuccess: async (copied) => {
      toast({ tone: copied.failures.length > 0 ? 'bad' : 'ok', text: formatCopied(copied) })
      onClose()
      await navigate({ to: paths.dashboard(connection.id, copied.dashboard.id) })
    },
  })
  const option = alerts.length === 1 ? 'Copy the alert on its tiles' : `Copy the ${alerts.length} alerts on its tiles`
  return (
    <NameDialog
      title="Duplicate dashboard"
      action="Duplicate"
      connection={connection}
      name={copyName(dashboard.name || 'Untitled dashboard')}
      maxLength={maxDashboardName}
      option={alerts.length > 0 ? option : undefined}
      busy={copy.isPending}
      error={copy.error && formatError(copy.error)}
      onSubmit={(name, withAlerts) => copy.mutate({ name, withAlerts })}
      onClose={onClose}
    >
      <Text variant="caption" color="textSecondary">
        Filters, sections and tabs are copied. Tiles and filters get new IDs.
      </Text>
    </NameDialog>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import type { Alert } from '#contract/stack/alerts.ts'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { formatError } from '#console/api/errors.ts'
import { paths } from '#console/paths/paths.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { alertsOf } from '../model/alertsAtRisk.ts'
import { formatCopied } from './copying.ts'
import { formatDashboards } from './dashboardNames.ts'
import { restoreDashboards } from './deleting.ts'
import { CheckboxField } from '#console/ui/form/fields/CheckboxField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { counted } from '#domain/text/words.ts'
import { Text } from '#console/ui/base/Text.tsx'

/**
 * Restores deleted dashboards. The API can only create new ones, so a dialog says which IDs change, and asks whether to
 * restore their alerts too.
 */
export function useRestore(): (deleted: readonly Dashboard[], alerts: readonly Alert[]) => Promise<void> {
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  return async function restore(deleted, alerts) {
    let restoredAlerts = alerts
    const sure = await confirm({
      title: `Restore ${formatDashboards(deleted)}?`,
      body: <RestoreText alerts={alerts.length} onAlerts={(include) => (restoredAlerts = include ? alerts : [])} />,
      action: 'Restore',
    })
    if (!sure) return
    const { copies, failures } = await restoreDashboards(connectionId, deleted, restoredAlerts)
    for (const { dashboard, failure } of failures) {
      toast({
        tone: failure.code === 'outcomeUnknown' ? 'unknown' : 'bad',
        text: `Could not restore “${dashboard.name}”. ${formatError(failure, location.pathname).sentence}`,
        action: { label: 'Try again', run: () => void restore([dashboard], alertsOf(dashboard.id, restoredAlerts)) },
      })
    }
    const [only] = copies
    if (copies.length === 1 && only) {
      toast({
        tone: only.failures.length > 0 ? 'bad' : 'ok',
        text: `${formatCopied(only)}. It has a new ID.`,
        action: { label: 'Open', run: () => void navigate({ to: paths.dashboard(connectionId, only.dashboard.id) }) },
      })
    } else if (copies.length > 1) {
      const made = copies.reduce((sum, copy) => sum + copy.alerts, 0)
      const problems = copies.flatMap((copy) => copy.failures)
      const but =
        problems.length > 0 ? ` ${counted(problems.length, 'alert')} could not be created: ${problems[0]}` : ''
      toast({
        tone: problems.length > 0 ? 'bad' : 'ok',
        text: `Restored ${copies.length} dashboards${made > 0 ? ` with ${counted(made, 'alert')}` : ''}.${but}`,
      })
    }
  }
}

const schema = z.object({ includeAlerts: z.boolean() })

function RestoreText({ alerts, onAlerts }: { alerts: number; onAlerts: (includeAlerts: boolean) => void }) {
  const { control } = useSchemaForm(schema, { includeAlerts: true })
  const includeAlerts = useWatch({ control, name: 'includeAlerts' })
  useEffect(() => {
    onAlerts(includeAlerts)
  }, [onAlerts, includeAlerts])
  return (
    <>
      <Text>Dashboards, tiles and filters are recreated with new IDs. Existing links to them stay broken.</Text>
      {alerts > 0 && (
        <CheckboxField
          control={control}
          name="includeAlerts"
          label={`Also restore ${counted(alerts, 'alert')}, with new IDs and no history`}
        />
      )}
    </>
  )
}

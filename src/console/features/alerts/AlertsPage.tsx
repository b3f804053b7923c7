import { useNavigate } from '@tanstack/react-router'
import { CopyPlus } from 'lucide-react'
import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { listReads } from '#console/shell/record/recordCalls.ts'
import { RecordList } from '#console/shell/record/RecordList.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Alert } from '#contract/alerts.ts'
import { dashboards } from '#contract/dashboards.ts'
import { alertResource, useAlertNames } from './alertResource.ts'
import { alertColumns } from './columns.tsx'

export const reads = listReads(alertResource, dashboards.list)

/** Milliseconds between two reads of the states while the page is visible. */
const pollInterval = 30_000

export default function AlertsPage() {
  const connection = useConnection()
  const navigate = useNavigate()
  const { names, nameOf } = useAlertNames()
  const columns = useMemo(() => alertColumns(connection.id, names), [connection.id, names])
  return (
    <RecordList
      resource={alertResource}
      lead="Send notifications when the value of a dashboard tile or a saved search crosses a threshold."
      columns={columns}
      nameOf={nameOf}
      empty="An alert checks a dashboard tile or a saved search, and notifies a webhook when a threshold is crossed."
      renderState={(alerts) => <FiringChip alerts={alerts} />}
      rowActions={(alert) => [
        {
          label: 'Duplicate',
          icon: CopyPlus,
          disabled: lockReason(connection),
          run: () => void navigate({ to: paths.newAlert(connection.id), search: { from: alert.id } }),
        },
      ]}
      pollInterval={pollInterval}
    />
  )
}

function FiringChip({ alerts }: { alerts: readonly Alert[] }) {
  const firing = alerts.filter((alert) => alert.state === 'ALERT').length
  return firing > 0 && <StatusChip tone="bad">{firing} firing</StatusChip>
}

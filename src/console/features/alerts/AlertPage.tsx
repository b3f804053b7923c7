import Box from '@mui/material/Box'
import { useNavigate } from '@tanstack/react-router'
import { CopyPlus } from 'lucide-react'
import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { watchedTile } from '#console/references/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { RecordDetail } from '#console/shell/record/RecordDetail.tsx'
import { ResourceLoader } from '#console/shell/record/RecordLoader.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Alert } from '#contract/alerts.ts'
import { NotificationsPanel, QueryPanel } from './AlertPanels.tsx'
import { alertReads, alertResource, useAlertNames } from './alertResource.ts'
import { AlertState } from './AlertState.tsx'
import { conditionSentence } from './alertLabels.ts'
import { ExecutionErrors } from './ExecutionErrors.tsx'
import { evaluationWarning } from './tileOptions.ts'

export { alertReads as reads }

export default function AlertPage() {
  return <ResourceLoader resource={alertResource}>{(alert) => <AlertDetail alert={alert} />}</ResourceLoader>
}

/** Everything about one alert. */
function AlertDetail({ alert }: { alert: Alert }) {
  const { names, nameOf } = useAlertNames()
  const tile = watchedTile(alert, names)
  const warning = alert.source === 'tile' && evaluationWarning(tile)
  return (
    <RecordDetail
      resource={alertResource}
      record={alert}
      nameOf={nameOf}
      state={
        <>
          <AlertState alert={alert} tile={tile} />
          {alert.silenced && <StatusChip tone="neutral">Silenced</StatusChip>}
        </>
      }
      lead={`Fires when the ${conditionSentence(alert)}.`}
      actions={useDuplicate(alert)}
    >
      {warning && (
        <Box sx={{ gridColumn: '1 / -1' }}>
          <Notice tone="warning">{warning}</Notice>
        </Box>
      )}
      <ExecutionErrors alert={alert} />
      <QueryPanel alert={alert} names={names} />
      <NotificationsPanel alert={alert} names={names} />
    </RecordDetail>
  )
}

function useDuplicate({ id }: Alert) {
  const connection = useConnection()
  const navigate = useNavigate()
  return useMemo(
    () => [
      {
        label: 'Duplicate',
        icon: CopyPlus,
        disabled: lockReason(connection),
        run: () => void navigate({ to: paths.newAlert(connection.id), search: { from: id } }),
      },
    ],
    [connection, navigate, id],
  )
}

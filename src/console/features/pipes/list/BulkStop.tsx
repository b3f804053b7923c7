import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { logChange } from '#console/records/pendingChanges/changeLog.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { pipes } from '#contract/cloud/pipes/pipes.ts'
import { counted } from '#domain/text/words.ts'
import { pipeKey } from '../model/pipeResource.ts'
import type { PipeRow } from './usePipes.ts'
import { commandReason, pipeCommandLabels, pipeName, stateLabel } from '../model/pipeLabels.ts'
import { SkippedPipes } from './SkippedPipes.tsx'
import { Text } from '#console/ui/base/Text.tsx'

/** Stops the selected pipes that are running, one at a time. */
export function BulkStop({ rows, onClose }: { rows: readonly PipeRow[]; onClose: () => void }) {
  const { id: connectionId } = useConnection()
  const sorted = rows.map((row) => ({ row, reason: commandReason(row, 'stop') }))
  const running = sorted.flatMap(({ row, reason }) => (reason === undefined ? [row] : []))
  const task = async (row: PipeRow) => {
    const params = { serviceId: row.serviceId, dataPipeId: row.id }
    await call(connectionId, pipes.state, { params, body: { command: 'stop' } })
    logChange(pipeKey(connectionId, row.id), 'Stopped', [
      { title: 'State', before: stateLabel(row.state), after: 'stop requested' },
    ])
  }
  return (
    <BulkDialog
      title={`Stop ${counted(running.length, 'data pipe')}?`}
      rows={running.map((row) => ({ ...row, name: pipeName(row) }))}
      action="Stop"
      disabled={running.length === 0 ? 'None of these pipes is running.' : undefined}
      task={task}
      stays
      onEnd={() => void invalidate(connectionId, 'pipes')}
      onClose={onClose}
    >
      <Text>{pipeCommandLabels.stop.effect}</Text>
      <Text color="textSecondary">{counted(running.length, 'request')}, one at a time.</Text>
      <SkippedPipes rows={sorted.flatMap(({ row, reason }) => (reason === undefined ? [] : [{ row, reason }]))} />
    </BulkDialog>
  )
}

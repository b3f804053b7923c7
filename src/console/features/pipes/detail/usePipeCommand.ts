import { Play, RefreshCw, Square } from 'lucide-react'
import { useCallback } from 'react'
import { call } from '#console/api/call.ts'
import { q } from '#console/api/queries.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { useStateCommand } from '#console/records/pendingChanges/useStateCommand.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { pipes, type Pipe, type PipeCommand } from '#contract/cloud/pipes/pipes.ts'
import { commandReason, pipeCommandLabels, pipeName, stateLabel } from '../model/pipeLabels.ts'
import { pipeKey } from '../model/pipeResource.ts'

const commandIcons = { start: Play, stop: Square, resync: RefreshCw }

/** The actions that start, stop or resync a pipe after a confirmation. */
export function usePipeCommand(): { commandAction: (pipe: Pipe, command: PipeCommand) => Action } {
  const connection = useConnection()
  const { id: connectionId } = connection
  const serviceId = useRouteParam('serviceId')
  const { pending, runStateCommand } = useStateCommand()
  const runCommand = useCallback(
    (pipe: Pipe, command: PipeCommand) => {
      const params = { serviceId, dataPipeId: pipe.id }
      return runStateCommand({
        resource: 'pipes',
        logKey: pipeKey(connectionId, pipe.id),
        queryKey: q(connectionId, pipes.get, { params }).queryKey,
        name: pipeName(pipe),
        noun: 'pipe',
        ...pipeCommandLabels[command],
        state: stateLabel(pipe.state),
        send: async () => {
          const record = await call(connectionId, pipes.state, { params, body: { command } })
          return { record, state: stateLabel(record.state) }
        },
      })
    },
    [connectionId, runStateCommand, serviceId],
  )
  const commandAction = useCallback(
    (pipe: Pipe, command: PipeCommand): Action => ({
      label: pipeCommandLabels[command].label,
      icon: commandIcons[command],
      disabled:
        lockReason(connection) ?? commandReason(pipe, command) ?? (pending ? 'A request is in progress.' : undefined),
      run: () => void runCommand(pipe, command),
    }),
    [connection, pending, runCommand],
  )
  return { commandAction }
}

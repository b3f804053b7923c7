import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { call } from '#console/api/call.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { paths } from '#console/paths/paths.ts'
import { useStateCommand } from '#console/shell/pendingChanges/useStateCommand.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { sameValue } from '#console/ui/form/values.ts'
import { pipes, type Pipe, type PipeCommand } from '#contract/pipes.ts'
import { pipeKey } from '../model/usePipe.ts'
import { pipeCommandLabels, pipeName, stateLabel } from '../model/pipeLabels.ts'

/** Starts, stops or resyncs a pipe after a confirmation. */
export function usePipeCommand(): {
  pending: boolean
  runCommand: (pipe: Pipe, command: PipeCommand) => Promise<void>
} {
  const { id: connectionId } = useConnection()
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
  return { pending, runCommand }
}

/** The fields that users edit. The deployment changes the others by itself. */
const savedParts = ({ name, source, destination, fieldMappings }: Pipe) => ({
  name,
  source,
  destination,
  fieldMappings,
})

/** Deletes a pipe after its name was typed, then opens the list. There is no undo: the API does not return secrets. */
export function useDeletePipe(): (pipe: Pipe) => Promise<void> {
  const { id: connectionId } = useConnection()
  const serviceId = useRouteParam('serviceId')
  const navigate = useNavigate()
  return useCallback(
    async (pipe: Pipe) => {
      const name = pipeName(pipe)
      const confirmed = await confirm({
        title: `Delete ${name}?`,
        body: 'The pipe and its position in the source are deleted. Data that it has written stays. This cannot be undone, because the API does not return the pipe’s secrets.',
        action: 'Delete pipe',
        danger: true,
        typed: name,
      })
      if (!confirmed) return
      const params = { serviceId, dataPipeId: pipe.id }
      try {
        await guardedWrite({
          base: pipe,
          record: pipes.get.result,
          unchanged: (now) => sameValue(savedParts(now), savedParts(pipe)),
          write: (base) => call(connectionId, pipes.delete, { params }, { base }),
        })
      } catch (error) {
        toastFailure(error)
        return invalidate(connectionId, 'pipes')
      }
      toast({ tone: 'ok', text: `Data pipe ${name} deleted.` })
      // Leave the pipe's page first, or it would request a pipe that no longer exists.
      await navigate({ to: paths.pipes(connectionId) })
      queryClient.removeQueries(q(connectionId, pipes.get, { params }))
      await invalidate(connectionId, 'pipes')
    },
    [connectionId, navigate, serviceId],
  )
}

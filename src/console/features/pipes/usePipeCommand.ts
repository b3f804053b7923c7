import { useCallback, useState } from 'react'
import { call } from '#console/api/call.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { noteChange } from '#console/shell/changeLog.ts'
import { confirm } from '#console/shell/confirm.tsx'
import { useConnection, useRouteParam } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/toastFailure.ts'
import { toast } from '#console/shell/toasts.tsx'
import { pipes, type Pipe, type PipeCommand } from '#contract/pipes.ts'
import { pipeThing } from './usePipe.ts'
import { commandWords, pipeName, stateLabel } from './words.ts'

/** Starts, stops or copies a pipe anew, after saying what will happen. The answer is an acknowledgement: the page looks on. */
export function usePipeCommand(): { pending: boolean; give: (pipe: Pipe, command: PipeCommand) => Promise<void> } {
  const { id: connectionId } = useConnection()
  const serviceId = useRouteParam('serviceId')
  const [pending, setPending] = useState(false)
  const give = useCallback(
    async (pipe: Pipe, command: PipeCommand) => {
      const { label, effect, danger } = commandWords[command]
      const name = pipeName(pipe)
      const typed = danger ? { typed: name } : {}
      if (!(await confirm({ title: `${label} ${name}?`, body: effect, action: `${label} pipe`, danger, ...typed })))
        return
      const params = { serviceId, dataPipeId: pipe.id }
      setPending(true)
      try {
        const answer = await call(connectionId, pipes.state, { params, body: { command } })
        queryClient.setQueryData(q(connectionId, pipes.get, { params }).queryKey, answer)
        noteChange(pipeThing(connectionId, pipe.id), label, [
          { title: 'State', before: stateLabel(pipe.state), after: stateLabel(answer.state) },
        ])
        toast({ tone: 'ok', text: `${label} was asked for. ${name} is ${stateLabel(answer.state).toLowerCase()} now.` })
      } catch (error) {
        toastFailure(error)
      } finally {
        setPending(false)
        void invalidate(connectionId, 'pipes')
      }
    },
    [connectionId, serviceId],
  )
  return { pending, give }
}

import { useCallback, useState } from 'react'
import { call } from '#console/api/call.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { logChange } from '#console/shell/pendingChanges/changeLog.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { serviceCommandLabels, services, type Service, type ServiceCommand } from '#contract/services.ts'
import { serviceKey } from './useService.ts'
import { commandLabels, serviceName, stateLabel } from './serviceLabels.ts'

/** Starts, stops or wakes a service after a confirmation. The API only acknowledges the command; the page polls for the result. */
export function useServiceCommand(): {
  pending: boolean
  runCommand: (service: Service, command: ServiceCommand) => Promise<void>
} {
  const { id: connectionId } = useConnection()
  const [pending, setPending] = useState(false)
  const runCommand = useCallback(
    async (service: Service, command: ServiceCommand) => {
      const label = commandLabels[command]
      const name = serviceName(service)
      const danger = command === 'stop'
      const said = await confirm({
        title: `${label} ${name}?`,
        body: serviceCommandLabels[command],
        action: `${label} service`,
        danger,
        ...(danger && { typed: name }),
      })
      if (!said) return
      const params = { serviceId: service.id }
      setPending(true)
      try {
        const answer = await call(connectionId, services.state, { params, body: { command } })
        queryClient.setQueryData(q(connectionId, services.get, { params }).queryKey, answer)
        logChange(serviceKey(connectionId, service.id), label, [
          { title: 'State', before: stateLabel(service.state), after: stateLabel(answer.state) },
        ])
        toast({
          tone: 'ok',
          text: `${label} requested for ${name}. State: ${stateLabel(answer.state).toLowerCase()}.`,
        })
      } catch (error) {
        toastFailure(error)
      } finally {
        setPending(false)
        void invalidate(connectionId, 'services')
      }
    },
    [connectionId],
  )
  return { pending, runCommand }
}

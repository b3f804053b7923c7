import { useCallback } from 'react'
import { call } from '#console/api/call.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { useStateCommand } from '#console/shell/pendingChanges/useStateCommand.ts'
import { serviceCommandLabels, services, type Service, type ServiceCommand } from '#contract/services.ts'
import { serviceKey } from './useService.ts'
import { commandLabels, serviceName, stateLabel } from './serviceLabels.ts'

/** Starts, stops or wakes a service after a confirmation. */
export function useServiceCommand(): {
  pending: boolean
  runCommand: (service: Service, command: ServiceCommand) => Promise<void>
} {
  const { id: connectionId } = useConnection()
  const { pending, runStateCommand } = useStateCommand()
  const runCommand = useCallback(
    (service: Service, command: ServiceCommand) => {
      const params = { serviceId: service.id }
      return runStateCommand({
        resource: 'services',
        logKey: serviceKey(connectionId, service.id),
        queryKey: q(connectionId, services.get, { params }).queryKey,
        name: serviceName(service),
        noun: 'service',
        label: commandLabels[command],
        effect: serviceCommandLabels[command],
        danger: command === 'stop',
        state: stateLabel(service.state),
        send: async () => {
          const record = await call(connectionId, services.state, { params, body: { command } })
          return { record, state: stateLabel(record.state) }
        },
      })
    },
    [connectionId, runStateCommand],
  )
  return { pending, runCommand }
}

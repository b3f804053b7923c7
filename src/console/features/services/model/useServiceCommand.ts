import { Play, Square, Sun } from 'lucide-react'
import { useCallback } from 'react'
import { call } from '#console/api/call.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { useStateCommand } from '#console/records/pendingChanges/useStateCommand.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { serviceCommandLabels, services, type Service, type ServiceCommand } from '#contract/cloud/services/services.ts'
import { serviceKey } from './serviceResource.ts'
import { commandLabels, commandReason, serviceName, stateLabel } from './serviceLabels.ts'

const commandIcons = { start: Play, stop: Square, awake: Sun }

/** The actions that start, stop or wake a service after a confirmation. */
export function useServiceCommand(): { commandAction: (service: Service, command: ServiceCommand) => Action } {
  const connection = useConnection()
  const { id: connectionId } = connection
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
  const commandAction = useCallback(
    (service: Service, command: ServiceCommand): Action => ({
      label: commandLabels[command],
      icon: commandIcons[command],
      danger: command === 'stop',
      disabled:
        lockReason(connection) ??
        commandReason(service, command) ??
        (pending ? 'A request is in progress.' : undefined),
      run: () => void runCommand(service, command),
    }),
    [connection, pending, runCommand],
  )
  return { commandAction }
}

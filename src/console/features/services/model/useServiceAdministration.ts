import { useNavigate } from '@tanstack/react-router'
import { KeyRound, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { Action } from '#console/ui/actions/actions.ts'
import { deletableStates, services, type Service } from '#contract/cloud/services/services.ts'
import { serviceName, stateLabel } from './serviceLabels.ts'

/** The action that deletes a service after its name was typed. */
export function useServiceDeletion(): (service: Service) => Action {
  const connection = useConnection()
  const navigate = useNavigate()
  const remove = useCallback(
    async (service: Service) => {
      const name = serviceName(service)
      const sure = await confirm({
        title: `Delete service ${name}?`,
        body: 'Its databases, its data pipes and its backups are deleted too. This cannot be undone.',
        action: 'Delete service',
        danger: true,
        irreversible: true,
        typed: name,
      })
      if (!sure) return
      try {
        await call(connection.id, services.delete, { params: { serviceId: service.id } })
        toast({ tone: 'ok', text: `Service ${name} is being deleted.` })
        void invalidate(connection.id, 'services')
        await navigate({ to: paths.services(connection.id) })
      } catch (error) {
        toastFailure(error)
      }
    },
    [connection.id, navigate],
  )
  return useCallback(
    (service: Service): Action => ({
      label: 'Delete',
      icon: Trash2,
      danger: true,
      disabled: lockReason(connection) ?? deletionReason(service),
      run: () => void remove(service),
    }),
    [connection, remove],
  )
}

/** Why a service cannot be deleted now. Undefined if it can. */
function deletionReason({ state }: Service): string | undefined {
  if (!state || deletableStates.includes(state)) return undefined
  return `A service that is ${stateLabel(state).toLowerCase()} cannot be deleted. Stop it first.`
}

/** The action that sets a new password, and the password, which no later request returns. */
export function useNewPassword(): {
  password: string | null
  passwordAction: (service: Service) => Action
} {
  const connection = useConnection()
  const [password, setPassword] = useState<string | null>(null)
  const { mutate, isPending } = useApiMutation(connection.id, services.password, {
    onSuccess: (result) => setPassword(result.password ?? null),
    onError: toastFailure,
  })
  const passwordAction = useCallback(
    (service: Service): Action => ({
      label: 'New password',
      icon: KeyRound,
      disabled: lockReason(connection) ?? (isPending ? 'A request is in progress.' : undefined),
      run: () =>
        void confirm({
          title: `Set new password for service ${serviceName(service)}?`,
          body: 'The deployment generates it. Clients with the old password can no longer connect.',
          action: 'Set new password',
          danger: true,
        }).then((sure) => sure && mutate({ params: { serviceId: service.id }, body: {} })),
    }),
    [connection, isPending, mutate],
  )
  return { password, passwordAction }
}

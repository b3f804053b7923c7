import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Pencil, Play, Scaling, Server, Square, Sun } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { useOffer } from '#console/api/offers.ts'
import { q } from '#console/api/queries.ts'
import { paths } from '#console/paths/paths.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NotOffered } from '#console/shell/fallbacks/NotOffered.tsx'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useTableState } from '#console/shell/useTableState.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { serviceCommands, services, type Service } from '#contract/services.ts'
import { serviceColumns } from './columns.tsx'
import { pollInterval } from './model/useService.ts'
import { useServiceCommand } from './model/useServiceCommand.ts'
import { commandLabels, commandReason, serviceName } from './model/serviceLabels.ts'

export default function ServicesPage() {
  const connection = useConnection()
  const { offered, reason } = useOffer(connection, 'services', services.list.variants)
  const { data, error, refetch } = useQuery({
    ...q(connection.id, services.list, {}),
    enabled: offered,
    refetchInterval: ({ state }) => pollInterval(state.data ?? []),
  })
  const table = useTableState()
  const columns = useMemo(() => serviceColumns(connection.id), [connection.id])
  const rowActions = useRowActions()
  return (
    <Page title="Services" lead="Database services of the organization.">
      {reason ? (
        <NotOffered reason={reason} />
      ) : (
        <DataTable
          label="Services"
          rows={data}
          columns={columns}
          error={error && <QueryError error={error} onRetry={() => void refetch()} />}
          empty={
            <EmptyState icon={Server} title="No services">
              The API key has no access to services of the organization.
            </EmptyState>
          }
          {...table}
          nameOf={serviceName}
          rowActions={rowActions}
        />
      )}
    </Page>
  )
}

const commandIcons = { start: Play, stop: Square, awake: Sun }

function useRowActions(): (service: Service) => Action[] {
  const connection = useConnection()
  const navigate = useNavigate()
  const { pending, runCommand } = useServiceCommand()
  return useCallback(
    (service) => [
      ...serviceCommands.map((command) => ({
        label: commandLabels[command],
        icon: commandIcons[command],
        danger: command === 'stop',
        disabled:
          lockReason(connection) ??
          commandReason(service, command) ??
          (pending ? 'A request is in progress.' : undefined),
        run: () => void runCommand(service, command),
      })),
      {
        label: 'Edit',
        icon: Pencil,
        disabled: lockReason(connection),
        run: () => void navigate({ to: paths.editService(connection.id, service.id) }),
      },
      {
        label: 'Scale',
        icon: Scaling,
        run: () => void navigate({ to: paths.scaleService(connection.id, service.id) }),
      },
      { label: 'Copy ID', icon: Copy, run: () => void copyText(service.id, 'ID') },
    ],
    [connection, runCommand, navigate, pending],
  )
}

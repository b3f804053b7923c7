import { useQuery } from '@tanstack/react-query'
import { Globe, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '#console/api/call.ts'
import { ignoreNotFound } from '#console/api/ignoreNotFound.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { runWithToast } from '#console/shell/messages/runWithToast.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { ActionMenu } from '#console/ui/actions/ActionMenu.tsx'
import { CopyId } from '#console/ui/actions/CopyId.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { EmptyState } from '#console/ui/EmptyState.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { SmallTable } from '#console/ui/table/SmallTable.tsx'
import { reversePrivateEndpoints, type ReverseEndpoint } from '#contract/cloud/services/serviceEndpoints.ts'
import { PartLoader } from '../parts/PartLoader.tsx'
import { DnsNamesDrawer, NewEndpointDrawer } from './ReverseEndpointDrawers.tsx'
import {
  customNames,
  hasDnsNames,
  isChanging,
  statusLabel,
  statusTone,
  targetOf,
  typeLabel,
} from './reverseEndpointForm.ts'
import * as css from '../services.module.css'

const busyMs = 3000
const quietMs = 30_000

/** The reverse private endpoints of a service: list, create, change the DNS names, delete. */
export function ReverseEndpoints({ serviceId }: { serviceId: string }) {
  const connection = useConnection()
  const read = useQuery({
    ...q(connection.id, reversePrivateEndpoints.list, { params: { serviceId } }),
    refetchInterval: ({ state: { data } }) => (data?.some(isChanging) ? busyMs : quietMs),
  })
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<ReverseEndpoint | null>(null)
  const locked = lockReason(connection)
  const add = (
    <DisabledReason reason={locked}>
      <Button
        size="small"
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
        onClick={() => setCreating(true)}
      >
        New endpoint
      </Button>
    </DisabledReason>
  )
  /** Its revision is that of the record itself, which the list does not have. */
  const edit = async (endpoint: ReverseEndpoint) => {
    const params = { serviceId, reverseEndpointId: endpoint.id }
    try {
      setEdited(await call(connection.id, reversePrivateEndpoints.get, { params }, { priority: 'user' }))
    } catch (error) {
      toastFailure(error)
      void invalidate(connection.id, 'reversePrivateEndpoints')
    }
  }
  const actionsOf = (endpoint: ReverseEndpoint) => [
    {
      label: 'Change DNS names',
      icon: Globe,
      disabled: locked ?? (hasDnsNames(endpoint.type) ? undefined : 'Endpoints of this type have no DNS names.'),
      run: () => void edit(endpoint),
    },
    {
      label: 'Delete',
      icon: Trash2,
      danger: true,
      disabled: locked,
      run: () => void removeEndpoint(connection.id, serviceId, endpoint),
    },
  ]
  return (
    <>
      <PartLoader title="Reverse private endpoints" read={read} height={220}>
        {(endpoints) => (
          <Panel title="Reverse private endpoints" aside={add} flush>
            {endpoints?.length ? (
              <EndpointTable endpoints={endpoints} actionsOf={actionsOf} />
            ) : (
              <EmptyState icon={Globe} title="No reverse private endpoints">
                Data pipes of the service reach sources in a private network through one, without the public internet.
              </EmptyState>
            )}
          </Panel>
        )}
      </PartLoader>
      {creating && <NewEndpointDrawer serviceId={serviceId} onClose={() => setCreating(false)} />}
      {edited && <DnsNamesDrawer serviceId={serviceId} endpoint={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

interface EndpointTableProps {
  endpoints: readonly ReverseEndpoint[]
  actionsOf: (endpoint: ReverseEndpoint) => Parameters<typeof ActionMenu>[0]['actions']
}

function EndpointTable({ endpoints, actionsOf }: EndpointTableProps) {
  return (
    <SmallTable
      label="Reverse private endpoints"
      heads={[
        'Description',
        'Status',
        'Type and target',
        'DNS names',
        'Endpoint ID',
        { title: 'Actions', hidden: true },
      ]}
      className={css.endpointsScroller}
    >
      {endpoints.map((endpoint) => {
        const name = endpoint.description || endpoint.id
        const dnsNames = [...new Set([...customNames(endpoint), ...(endpoint.dnsNames ?? [])])]
        return (
          <tr key={endpoint.id}>
            <th scope="row">{name}</th>
            <td>
              <StatusChip tone={statusTone(endpoint.status)}>{statusLabel(endpoint.status)}</StatusChip>
            </td>
            <td>
              {typeLabel(endpoint.type)}
              <div className={css.endpointsTarget}>{targetOf(endpoint)}</div>
            </td>
            <td className={css.names}>
              {dnsNames.map((dnsName) => (
                <div key={dnsName}>{dnsName}</div>
              ))}
            </td>
            <td>{endpoint.endpointId && <CopyId id={endpoint.endpointId} label={`Copy endpoint ID of ${name}`} />}</td>
            <td data-actions="menu">
              <div className={css.rowActions}>
                <ActionMenu label={`Actions for ${name}`} actions={actionsOf(endpoint)} />
              </div>
            </td>
          </tr>
        )
      })}
    </SmallTable>
  )
}

async function removeEndpoint(connectionId: string, serviceId: string, endpoint: ReverseEndpoint): Promise<void> {
  const name = endpoint.description || endpoint.id
  const sure = await confirm({
    title: `Delete endpoint ${name}?`,
    body: 'Data pipes that reach their source through it fail. A new endpoint has another ID and must be accepted again.',
    action: 'Delete endpoint',
    danger: true,
    irreversible: true,
    typed: name,
  })
  if (!sure) return
  const params = { serviceId, reverseEndpointId: endpoint.id }
  await runWithToast(
    () => ignoreNotFound(call(connectionId, reversePrivateEndpoints.delete, { params })),
    `Endpoint ${name} is being deleted.`,
  )
  await invalidate(connectionId, 'reversePrivateEndpoints')
}

import { useMemo } from 'react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { listReads } from '#console/records/record/recordCalls.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { Role } from '#contract/cloud/organization/roles.ts'
import { roleTypeLabel } from '../roleOptions.ts'
import { permissionLabel } from './permissionLabels.ts'
import { roleResource } from './roleResource.ts'

export const reads = listReads(roleResource)

export default function RolesPage() {
  const connection = useConnection()
  const columns = useMemo(() => roleColumns(connection.id), [connection.id])
  return (
    <RecordList
      resource={roleResource}
      lead="What API keys and members may do. A denial overrides whatever allows the same."
      columns={columns}
      empty="Roles give permissions to API keys and members."
    />
  )
}

/** The columns of the list. Their IDs are part of URLs: do not rename them. */
function roleColumns(connectionId: string): Column<Role>[] {
  return [
    nameColumn({ grow: 0.6, width: 160, name: ({ name }) => name, to: ({ id }) => paths.role(connectionId, id) }),
    {
      id: 'type',
      title: 'Type',
      width: 120,
      type: 'choice',
      options: ['system', 'custom'].map((value) => ({ value, label: roleTypeLabel(value) })),
      value: ({ type }) => type,
      cell: ({ type }) => (
        <StatusChip tone={type === 'custom' ? 'accent' : 'neutral'}>{roleTypeLabel(type)}</StatusChip>
      ),
    },
    {
      id: 'permissions',
      title: 'Permissions',
      grow: 1.4,
      width: 220,
      value: ({ policies }) => policies.flatMap(({ permissions }) => permissions.map(permissionLabel)).join(', '),
    },
    { id: 'actors', title: 'Keys and members', width: 140, type: 'number', value: ({ actors }) => actors?.length },
    { id: 'updated', title: 'Updated', width: 120, type: 'timestamp', hidden: true, value: (role) => role.updatedAt },
    idColumn(290),
  ]
}

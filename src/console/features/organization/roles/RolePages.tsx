/** The list of roles, and the page of one. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { RecordList } from '#console/records/record/RecordList.tsx'
import { listReads, recordReads } from '#console/records/record/recordCalls.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Column } from '#console/ui/table/columns.ts'
import { idColumn, nameColumn } from '#console/records/record/recordColumns.tsx'
import type { Role } from '#contract/cloud/organization/roles.ts'
import { q } from '#console/api/queries.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { RecordDetail } from '#console/records/record/RecordDetail.tsx'
import { ResourceLoader } from '#console/records/record/RecordLoader.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { apiKeys } from '#contract/cloud/organization/apiKeys.ts'
import { members } from '#contract/cloud/organization/members.ts'
import { services } from '#contract/cloud/services/services.ts'
import { roleTypeLabel } from '../roleOptions.ts'
import { permissionLabel } from './permissionLabels.ts'
import { roleResource, useRoleLock, readPolicy, type PolicyForm } from './roleResource.ts'
import * as css from '../organization.module.css'

RolesPage.reads = listReads(roleResource)

export function RolesPage() {
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
    { id: 'actors', title: 'Keys and members', width: 170, type: 'number', value: ({ actors }) => actors?.length },
    { id: 'updated', title: 'Updated', width: 120, type: 'timestamp', hidden: true, value: (role) => role.updatedAt },
    idColumn(290),
  ]
}

RolePage.reads = recordReads(roleResource, apiKeys.list, members.list, services.list)

export function RolePage() {
  return <ResourceLoader resource={roleResource}>{(role) => <RoleDetail role={role} />}</ResourceLoader>
}

/** A role's policies and holders. */
function RoleDetail({ role }: { role: Role }) {
  return (
    <RecordDetail
      resource={roleResource}
      record={role}
      locked={useRoleLock(role)}
      state={<StatusChip tone="neutral">{roleTypeLabel(role.type)}</StatusChip>}
    >
      {role.policies.map(readPolicy).map((policy, at) => (
        <PolicyPanel key={role.policies[at]?.id ?? at} policy={policy} />
      ))}
      <Panel title="Keys and members with this role">
        <Actors actors={role.actors ?? []} />
      </Panel>
    </RecordDetail>
  )
}

function PolicyPanel({ policy }: { policy: PolicyForm }) {
  const { allowDeny, organizationPermissions, servicePermissions, serviceIds } = policy
  const { id: connectionId } = useConnection()
  const { data } = useQuery(q(connectionId, services.list, {}))
  const nameOf = (id: string) => data?.find((candidate) => candidate.id === id)?.name ?? id
  const where = serviceIds.length === 0 ? 'On all services' : `On ${serviceIds.map(nameOf).join(', ')}`
  return (
    <Panel title={allowDeny === 'DENY' ? 'Denies' : 'Allows'}>
      {organizationPermissions.length > 0 && <Permissions title="In the organization" list={organizationPermissions} />}
      {servicePermissions.length > 0 && <Permissions title={where} list={servicePermissions} />}
    </Panel>
  )
}

function Permissions({ title, list }: { title: string; list: readonly string[] }) {
  return (
    <section className={css.permissions}>
      <h3 className={css.where}>{title}</h3>
      <ul className={css.roleList}>
        {list.map((permission) => (
          <li key={permission}>{permissionLabel(permission)}</li>
        ))}
      </ul>
    </section>
  )
}

function Actors({ actors }: { actors: readonly string[] }) {
  const { id: connectionId } = useConnection()
  const { data: keys } = useQuery(q(connectionId, apiKeys.list, {}))
  const { data: people } = useQuery(q(connectionId, members.list, {}))
  if (actors.length === 0) return 'Nobody has it.'
  return (
    <ul className={css.roleList}>
      {actors.map((actor) => {
        const [kind, id = ''] = actor.split('/')
        const person = people?.find(({ userId }) => userId === id)
        return (
          <li key={actor}>
            {kind === 'apiKey' ? (
              <>
                API key{' '}
                <TextLink underline="always" to={paths.apiKey(connectionId, id)}>
                  {keys?.find((key) => key.id === id)?.name ?? id}
                </TextLink>
              </>
            ) : (
              (person?.name ?? person?.email ?? actor)
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Roles: those of the system are code and cannot be changed, the others are stored. */
import {
  organizationPermissions,
  permissions,
  servicePermissions,
  type Permission,
} from '#contract/cloud/organization/roles.ts'
import { collection } from '../store/collection.ts'
import type { Queries } from '../store/store.ts'
import { everyService, organizationTarget, type Policy } from './policies.ts'

export interface StoredPolicy extends Policy {
  id: string
  tags?: { grants?: string[] | undefined; roleV2?: string | undefined } | undefined
}

export interface RoleDocument {
  id: string
  name: string
  type: 'system' | 'custom'
  policies: readonly StoredPolicy[]
  createdAt: string
  updatedAt: string
}

export const roleRows = collection<RoleDocument>('organization_roles')

/** IDs of the system roles. They are the same in every stack, and must not change. */
export const systemRoleIds = {
  admin: '5a1d0000-0000-4000-8000-000000000001',
  developer: '5a1d0000-0000-4000-8000-000000000002',
  member: '5a1d0000-0000-4000-8000-000000000003',
  billing: '5a1d0000-0000-4000-8000-000000000004',
  serviceAdmin: '5a1d0000-0000-4000-8000-000000000005',
  serviceReader: '5a1d0000-0000-4000-8000-000000000006',
  queryEndpoints: '5a1d0000-0000-4000-8000-000000000007',
} as const

const organizationView = 'control-plane:organization:view'
const serviceView: readonly Permission[] = [
  'control-plane:service:view',
  'control-plane:service:view-backups',
  'stack:record:view',
  'stack:telemetry:read',
]

const systemRoles: readonly { id: string; name: string; gives: readonly Permission[] }[] = [
  { id: systemRoleIds.admin, name: 'Admin', gives: permissions },
  { id: systemRoleIds.developer, name: 'Developer', gives: [organizationView, ...serviceView] },
  { id: systemRoleIds.member, name: 'Member', gives: [organizationView] },
  { id: systemRoleIds.billing, name: 'Billing', gives: [organizationView, 'control-plane:organization:view-usage'] },
  { id: systemRoleIds.serviceAdmin, name: 'Service admin', gives: [organizationView, ...servicePermissions] },
  { id: systemRoleIds.serviceReader, name: 'Service reader', gives: [organizationView, ...serviceView] },
  { id: systemRoleIds.queryEndpoints, name: 'Query endpoints', gives: ['sql-console:database:access'] },
]

/** The system roles in one organization. */
function systemRolesOf(organizationId: string, createdAt: string): RoleDocument[] {
  return systemRoles.map(({ id, name, gives }, at) => {
    const inOrganization = gives.filter((permission) => organizationPermissions.some((known) => known === permission))
    const onServices = gives.filter((permission) => servicePermissions.some((known) => known === permission))
    const policy = (number: number, granted: readonly Permission[], target: string): StoredPolicy[] =>
      granted.length === 0
        ? []
        : [
            {
              id: `5a1d0000-0000-4000-9000-0000000000${at + 1}${number}`,
              allowDeny: 'ALLOW',
              permissions: granted,
              resources: [target],
            },
          ]
    return {
      id,
      name,
      type: 'system',
      policies: [
        ...policy(1, inOrganization, organizationTarget(organizationId)),
        ...policy(2, onServices, everyService),
      ],
      createdAt,
      updatedAt: createdAt,
    }
  })
}

export function isSystemRole(id: string): boolean {
  return systemRoles.some((role) => role.id === id)
}

/** The roles by ID: those of the system first. A role that is damaged might have denied anything, so it denies everything. */
export async function rolesById(
  queries: Queries,
  { organizationId, createdAt }: { organizationId: string; createdAt: string },
): Promise<Map<string, RoleDocument>> {
  const stored = await roleRows.all(queries)
  const readable = new Set(stored.map(({ id }) => id))
  const damaged = (await roleRows.ids(queries)).filter((id) => !readable.has(id))
  const all = [
    ...systemRolesOf(organizationId, createdAt),
    ...stored,
    ...damaged.map((id) => damagedRole(id, organizationId, createdAt)),
  ]
  return new Map(all.map((role) => [role.id, role]))
}

function damagedRole(id: string, organizationId: string, createdAt: string): RoleDocument {
  const resources = [organizationTarget(organizationId), everyService]
  return {
    id,
    name: `Damaged role ${id}`,
    type: 'custom',
    policies: [{ id, allowDeny: 'DENY', permissions, resources }],
    createdAt,
    updatedAt: createdAt,
  }
}

/** The policies of some roles. IDs of roles that do not exist give nothing. */
export function policiesOf(roles: ReadonlyMap<string, RoleDocument>, ids: readonly string[]): StoredPolicy[] {
  return ids.flatMap((id) => roles.get(id)?.policies ?? [])
}

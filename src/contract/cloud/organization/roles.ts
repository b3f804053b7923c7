/** Roles of an organization and their policies: docs/DEPLOYMENTS.md#keys-members-roles. */
import { z } from 'zod'
import { openEnum, pathId, resource } from '../../wire/kernel.ts'

/** Permissions that a policy can allow or deny in the organization. */
export const organizationPermissions = [
  'control-plane:organization:view',
  'control-plane:organization:manage',
  'control-plane:organization:view-api-keys',
  'control-plane:organization:create-api-keys',
  'control-plane:organization:manage-api-keys',
  'control-plane:organization:manage-members',
  'control-plane:organization:manage-roles',
  'control-plane:organization:view-activities',
  'control-plane:organization:view-usage',
] as const

/** Permissions that a policy can allow or deny on services. `stack:` covers what is stored and read in a service's stack. */
export const servicePermissions = [
  'control-plane:service:view',
  'control-plane:service:manage',
  'control-plane:service:view-backups',
  'control-plane:service:manage-backups',
  'stack:record:view',
  'stack:record:manage',
  'stack:telemetry:read',
  'sql-console:database:access',
] as const

export const permissions = [...organizationPermissions, ...servicePermissions] as const
export type Permission = (typeof permissions)[number]

/** The scope of a permission, by its name: those of the organization apply to the organization only. */
export const isOfOrganization = (permission: string): boolean => permission.startsWith('control-plane:organization:')

const permissionNames: readonly string[] = permissions
export const isKnownPermission = (permission: string): permission is Permission => permissionNames.includes(permission)

export const maxPolicies = 50

const policy = z.looseObject({
  id: z.string().optional(),
  roleId: z.string().optional(),
  tenantId: z.string().optional(),
  allowDeny: openEnum(['ALLOW', 'DENY']),
  permissions: z.array(z.string()),
  resources: z.array(z.string()),
  tags: z.unknown().optional(),
})

const role = z.looseObject({
  id: z.string(),
  tenantId: z.string().nullish(),
  ownerId: z.string().nullish(),
  name: z.string(),
  type: openEnum(['system', 'custom']),
  /** `user/<id>` and `apiKey/<id>`. */
  actors: z.array(z.string()).nullish(),
  policies: z.array(policy),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
})
export type Role = z.infer<typeof role>

const uuid = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}'
const actor = z.string().regex(new RegExp(`^(?:user|apiKey)/${uuid}$`), 'must be user/<id> or apiKey/<id>')
const target = z
  .string()
  .regex(
    new RegExp(`^(?:organization/${uuid}|instance/(?:\\*|${uuid}))$`),
    'must be organization/<id>, instance/<id> or instance/*',
  )

const policyInput = z.strictObject({
  // Clients send back what they read.
  id: z.string().optional(),
  roleId: z.string().optional(),
  tenantId: z.string().optional(),
  allowDeny: z.enum(['ALLOW', 'DENY']),
  /** Permissions that the stack does not know are kept, and have no effect. */
  permissions: z.array(z.string().min(1).max(256)).min(1).max(200),
  resources: z.array(target).min(1).max(100),
  tags: z
    .strictObject({
      grants: z.array(z.string().max(256)).max(50).optional(),
      roleV2: z.enum(['sql-console-readonly', 'sql-console-admin']).optional(),
    })
    .optional(),
})
export type PolicyInput = z.output<typeof policyInput>

const fields = {
  name: z.string().trim().min(1).max(128),
  actors: z.array(actor).max(500),
  policies: z.array(policyInput).max(maxPolicies),
}
export const roleInput = z.strictObject(fields)
const roleUpdate = z.strictObject(fields).partial()

const record = { volatile: [] } as const
const ofOrganization = { scope: 'organization', variants: ['managed'] } as const
const params = z.object({ roleId: pathId })
const path = '/roles/{roleId}'

export const roles = resource('roles', {
  list: { ...ofOrganization, method: 'GET', path: '/roles', record, list: true, result: z.array(role) },
  get: { ...ofOrganization, method: 'GET', path, params, record, result: role },
  create: {
    ...ofOrganization,
    method: 'POST',
    path: '/roles',
    body: roleInput,
    stored: { unreturned: [] },
    result: role,
  },
  update: {
    ...ofOrganization,
    method: 'PATCH',
    path,
    params,
    body: roleUpdate,
    stored: { unreturned: [] },
    result: role,
  },
  delete: { ...ofOrganization, method: 'DELETE', path, params, result: z.unknown() },
})

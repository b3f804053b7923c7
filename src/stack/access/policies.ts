/** The permissions that policies allow. A denial wins over everything that allows. */
import {
  isKnownPermission,
  organizationPermissions,
  servicePermissions,
  type Permission,
} from '#contract/cloud/organization/roles.ts'

export interface Policy {
  allowDeny: 'ALLOW' | 'DENY'
  /** Unknown ones have no effect. */
  permissions: readonly string[]
  /** `organization/<id>`, `instance/<id>` or `instance/*`. */
  resources: readonly string[]
}

export const everyService = 'instance/*'
export const organizationTarget = (id: string): string => `organization/${id.toLowerCase()}`
export const serviceTarget = (id: string): string => `instance/${id.toLowerCase()}`

/** Permissions that come with others. */
const implied: Partial<Record<Permission, readonly Permission[]>> = {
  'control-plane:organization:manage': ['control-plane:organization:view'],
  'control-plane:organization:create-api-keys': ['control-plane:organization:view-api-keys'],
  'control-plane:organization:manage-api-keys': [
    'control-plane:organization:view-api-keys',
    'control-plane:organization:create-api-keys',
  ],
  'control-plane:service:manage': ['control-plane:service:view'],
  'control-plane:service:manage-backups': ['control-plane:service:view-backups'],
  'stack:record:manage': ['stack:record:view'],
}

const impliedBy = (permission: string): readonly Permission[] =>
  isKnownPermission(permission) ? (implied[permission] ?? []) : []

function grants(policy: Policy, permission: Permission): boolean {
  return policy.permissions.some((other) => other === permission || impliedBy(other).includes(permission))
}

/** Whether a permission has a meaning for a target. */
export function fits(permission: Permission, target: string): boolean {
  const kinds: readonly string[] = target.startsWith('organization/') ? organizationPermissions : servicePermissions
  return kinds.includes(permission)
}

function matches(resource: string, target: string): boolean {
  const own = resource.toLowerCase()
  return own === target || (own === everyService && target.startsWith('instance/'))
}

/** @param target `instance/*` asks for every service, those of the future included */
export function isAllowed(policies: readonly Policy[], permission: Permission, target: string): boolean {
  const denied = policies.some(
    ({ allowDeny, permissions, resources }) =>
      allowDeny === 'DENY' &&
      permissions.includes(permission) &&
      // A denial of one service is a denial of "every service".
      resources.some(
        (resource) => matches(resource, target) || (target === everyService && resource.startsWith('instance/')),
      ),
  )
  if (denied) return false
  return policies.some(
    (policy) =>
      policy.allowDeny === 'ALLOW' &&
      grants(policy, permission) &&
      policy.resources.some((resource) => matches(resource, target)) &&
      fits(permission, target),
  )
}

/** A permission that `wanted` gives on some target and `own` does not; null if `own` covers all. Denials in `wanted` do not count. */
export function missingFor(
  own: readonly Policy[],
  wanted: readonly Policy[],
): { permission: Permission; target: string } | null {
  for (const { allowDeny, permissions, resources } of wanted) {
    if (allowDeny === 'DENY') continue
    for (const permission of permissions
      .filter(isKnownPermission)
      .flatMap((listed) => [listed, ...impliedBy(listed)])) {
      for (const target of resources.map((resource) => resource.toLowerCase())) {
        if (fits(permission, target) && !isAllowed(own, permission, target)) return { permission, target }
      }
    }
  }
  return null
}

/** A permission that a denial takes away: `before` gives it on some target, `after` denies it there; null if there is none. */
export function deniedBy(
  before: readonly Policy[],
  after: readonly Policy[],
): { permission: Permission; target: string } | null {
  for (const { allowDeny, permissions, resources } of after) {
    if (allowDeny === 'ALLOW') continue
    for (const permission of permissions.filter(isKnownPermission)) {
      const target = resources
        .map((resource) => resource.toLowerCase())
        .find((resource) => isAllowed(before, permission, resource))
      if (target !== undefined) return { permission, target }
    }
  }
  return null
}

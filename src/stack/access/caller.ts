/** Who sent a request of the managed variant, and what the key may do. */
import type { Permission } from '#contract/cloud/organization/roles.ts'
import { Refusal } from '../refusal.ts'
import type { KeyDocument } from './keyRows.ts'
import {
  everyService,
  fits,
  isAllowed,
  missingFor,
  organizationTarget,
  serviceTarget,
  type Policy,
} from './policies.ts'

export interface Caller {
  key: Pick<KeyDocument, 'id' | 'name'>
  policies: readonly Policy[]
  organizationId: string
  address: string
  userAgent: string
}

/** @param serviceId undefined for what is about the organization, or about all of its services */
export function mayCall({ policies, organizationId }: Caller, permission: Permission, serviceId?: string): boolean {
  const organization = organizationTarget(organizationId)
  const whole = fits(permission, organization) ? organization : everyService
  return isAllowed(policies, permission, serviceId === undefined ? whole : serviceTarget(serviceId))
}

/** @throws Refusal 403 with the permission that is missing */
export function requirePermission(caller: Caller, permission: Permission, serviceId?: string): void {
  if (mayCall(caller, permission, serviceId)) return
  const where = serviceId === undefined ? '' : ` on the service ${serviceId}`
  throw new Refusal(403, `This API key lacks the permission ${permission}${where}`)
}

/**
 * A key gives nobody more than it has itself, and changes nobody who has more.
 * @throws Refusal 403 with the permission that is missing
 */
export function requireCovered(caller: Caller, ...policies: readonly (readonly Policy[])[]): void {
  for (const wanted of policies) {
    const missing = missingFor(caller.policies, wanted)
    if (!missing) continue
    throw new Refusal(
      403,
      `This API key cannot grant or change access beyond its own: it lacks ${missing.permission} on ${missing.target}`,
    )
  }
}

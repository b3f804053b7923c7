/** The stored organization of this stack. */
import type { Organization } from '#contract/cloud/organization/organizations.ts'
import { collection } from '../store/collection.ts'

export const organizationRows = collection<Organization>('organizations')

/** An organization as responses have it, with every field of docs/DEPLOYMENTS.md#organizations. */
export function organizationAnswer(organization: Organization): Organization {
  return { privateEndpoints: [], byocConfig: [], enableCoreDumps: false, ...organization }
}

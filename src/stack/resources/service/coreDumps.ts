/** Core dumps of services: docs/DEPLOYMENTS.md#services. */
import { organizationRows } from '../../documents/organizationRows.ts'
import { invalidField } from '../../refusal.ts'
import type { Identity } from '../../store/identity.ts'
import type { Queries } from '../../store/store.ts'

/** @throws InvalidInput if a service is to make core dumps in an organization that does not allow them */
export async function requireCoreDumpsAllowed(
  { store, identity }: { store: Queries; identity: Identity },
  body: { enableCoreDumps?: boolean | undefined },
): Promise<void> {
  if (!body.enableCoreDumps) return
  const organization = await organizationRows.get(store, identity.organizationId)
  if (organization?.enableCoreDumps) return
  throw invalidField('enableCoreDumps', 'the organization does not allow core dumps. Allow them there first', body)
}

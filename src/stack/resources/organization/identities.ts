/** Who a caller is, and what private endpoints of its organization connect to. */
import type { identities } from '#contract/cloud/organization/identities.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import { serviceRows } from '../../documents/serviceRows.ts'
import { refuse } from '../../refusal.ts'
import type { StackContext } from '../context.ts'
import { endpointServiceId } from '../service/endpoints.ts'

export const identityHandlers: Handlers<typeof identities, StackContext> = {
  async whoami(_, { caller, identity }) {
    return {
      actorType: 'apiKey',
      ...(caller && { keyId: caller.key.id, name: caller.key.name }),
      organizationId: identity.organizationId,
    }
  },

  /** The configuration of the first service in the region: this stack has no private network, so all of it is simulated. */
  async privateEndpointConfig({ query }, { store }) {
    const services = await serviceRows.all(store)
    const found = services.find(
      (service) => service.provider === query.cloud_provider && service.region === query.region_id,
    )
    if (!found) throw refuse(`organization has no created instances in ${query.cloud_provider} ${query.region_id}`)
    return { endpointServiceId: endpointServiceId(found) }
  },
}

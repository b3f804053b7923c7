/** Endpoints by which clients of the product ask about themselves and their organization. The console does not need it. */
import { z } from 'zod'
import { openEnum, resource } from '../../wire/kernel.ts'
import { cloudProviders } from './organizations.ts'

/** Who sends a request: a key of an organization. */
const caller = z.looseObject({
  actorType: openEnum(['apiKey', 'user']),
  keyId: z.string().nullish(),
  name: z.string().nullish(),
  organizationId: z.string().nullish(),
})

const forOthers = { method: 'GET', variants: ['managed'], unspecified: true, stackOnly: true } as const

export const identities = resource('identities', {
  whoami: { ...forOthers, scope: 'root', path: '/whoami', result: caller },
  /** Deprecated: that of a service has more. */
  privateEndpointConfig: {
    ...forOthers,
    scope: 'organization',
    path: '/privateEndpointConfig',
    query: z.object({ cloud_provider: z.enum(cloudProviders), region_id: z.string().min(1).max(64) }),
    result: z.looseObject({ endpointServiceId: z.string().nullish() }),
  },
})

/** Organizations of the control plane: section 3 of the managed reference. A key belongs to exactly one. */
import { z } from 'zod'
import { openEnum, resource } from './kernel.ts'

const cloudProviders = ['aws', 'gcp', 'azure'] as const

export const organization = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  createdAt: z.string().nullish(),
  privateEndpoints: z
    .array(
      z.looseObject({
        id: z.string(),
        description: z.string().nullish(),
        cloudProvider: openEnum(cloudProviders).nullish(),
        region: z.string().nullish(),
      }),
    )
    .nullish(),
  byocConfig: z.array(z.looseObject({ id: z.string().nullish(), state: z.string().nullish() })).nullish(),
  enableCoreDumps: z.boolean().nullish(),
})
export type Organization = z.infer<typeof organization>

export const organizations = resource('organizations', {
  list: {
    method: 'GET',
    scope: 'root',
    path: '/organizations',
    variants: ['managed'],
    list: true,
    result: z.array(organization),
  },
  get: { method: 'GET', scope: 'organization', path: '', variants: ['managed'], result: organization },
})

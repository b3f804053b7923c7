/** Organizations of the cloud control plane: section 3 of the managed reference. A key sees exactly one. */
import { z } from 'zod'
import { openEnum, resource } from './kernel.ts'

export const cloudProviders = ['aws', 'gcp', 'azure'] as const

export const organization = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  createdAt: z.string().optional(),
  privateEndpoints: z
    .array(
      z.looseObject({
        id: z.string(),
        description: z.string().nullish(),
        cloudProvider: openEnum(cloudProviders).optional(),
        region: z.string().optional(),
      }),
    )
    .optional(),
  byocConfig: z.array(z.looseObject({ id: z.string().optional(), state: z.string().optional() })).optional(),
  enableCoreDumps: z.boolean().optional(),
})
export type Organization = z.infer<typeof organization>

export const organizations = resource('organizations', {
  list: { method: 'GET', scope: 'root', path: '/organizations', variants: ['managed'], result: z.array(organization) },
  get: { method: 'GET', scope: 'organization', path: '', variants: ['managed'], result: organization },
})

/** Organizations of the control plane: docs/DEPLOYMENTS.md#organizations. A key belongs to exactly one. */
import { z } from 'zod'
import { openEnum, resource } from '../../wire/kernel.ts'

export const cloudProviders = ['aws', 'gcp', 'azure'] as const

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

/** `add` is deprecated, but clients still send it. In lists, `remove` is applied before `add`. */
export const organizationUpdate = z.strictObject({
  name: z.string().trim().min(1).max(256).optional(),
  privateEndpoints: z
    .strictObject({
      remove: z
        .array(z.looseObject({ id: z.string().min(1).max(256) }))
        .max(500)
        .optional(),
      add: z
        .array(
          z.strictObject({
            id: z.string().min(1).max(256),
            cloudProvider: z.enum(cloudProviders),
            region: z.string().min(1).max(64),
            description: z.string().max(256).optional(),
          }),
        )
        .max(500)
        .optional(),
    })
    .optional(),
  enableCoreDumps: z.boolean().optional(),
})

export const organizations = resource('organizations', {
  list: {
    method: 'GET',
    scope: 'root',
    path: '/organizations',
    variants: ['managed'],
    list: true,
    result: z.array(organization),
  },
  get: {
    method: 'GET',
    scope: 'organization',
    path: '',
    variants: ['managed'],
    record: { volatile: [] },
    result: organization,
  },
  update: {
    method: 'PATCH',
    scope: 'organization',
    path: '',
    variants: ['managed'],
    body: organizationUpdate,
    stored: { unreturned: ['remove'] },
    result: organization,
  },
})

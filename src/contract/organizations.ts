/** Organizations of the cloud control plane: section 3 of the managed reference. A key sees exactly one. */
import { z } from 'zod'
import { resource } from './kernel.ts'

export const organization = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  createdAt: z.string().optional(),
})
export type Organization = z.infer<typeof organization>

export const organizations = resource('organizations', {
  list: { method: 'GET', scope: 'root', path: '/organizations', variants: ['managed'], result: z.array(organization) },
  get: { method: 'GET', scope: 'organization', path: '', variants: ['managed'], result: organization },
})

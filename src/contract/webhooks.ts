/** Webhooks: section 6 of the open-source reference. The specification offers their list on the open-source variant only. */
import { z } from 'zod'
import { openEnum, resource } from './kernel.ts'
import { listQuery } from './lists.ts'

export const webhookServices = ['slack', 'generic', 'incidentio'] as const

/** Headers and query parameters are write-only: no answer carries them. The address may embed a token: show it masked. */
export const webhook = z.looseObject({
  id: z.string(),
  name: z.string(),
  service: openEnum(webhookServices),
  url: z.string().optional(),
  description: z.string().nullish(),
  body: z.string().nullish(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type Webhook = z.infer<typeof webhook>

export const webhooks = resource('webhooks', {
  list: {
    method: 'GET',
    scope: 'stack',
    path: '/webhooks',
    variants: ['openSource'],
    paged: true,
    query: listQuery,
    result: z.array(webhook),
  },
})

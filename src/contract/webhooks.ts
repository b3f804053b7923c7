/** Webhooks: section 6 of the open-source reference. The specification offers their list on the open-source variant only. */
import { z } from 'zod'
import { openEnum, pathId, resource } from './kernel.ts'
import { listQuery } from './lists.ts'

export const webhookServices = ['slack', 'generic', 'incidentio'] as const

/** Headers and query parameters are write-only: no answer carries them. The address may embed a token: show it masked. */
export const webhook = z.looseObject({
  id: z.string(),
  name: z.string(),
  service: openEnum(webhookServices),
  url: z.string().optional(),
  description: z.string().nullish(),
  /** Answered for the generic service alone. */
  body: z.string().nullish(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type Webhook = z.infer<typeof webhook>

export const maxPairs = 100
const noControls = (text: z.ZodString) => text.regex(/^[^\p{Cc}]*$/u)

/** Header names: the tokens of HTTP, not beginning with a digit. */
const headerName = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[!#$%&'*+\-.^_`|~A-Za-z][!#$%&'*+\-.^_`|~0-9A-Za-z]*$/)
const headerValue = noControls(z.string().max(4096))
const parameterName = noControls(z.string().min(1).max(1024))
const parameterValue = headerValue

const atMost = (pairs: object) => Object.keys(pairs).length <= maxPairs
const fields = {
  name: z.string().trim().min(1).max(1024),
  url: z.url().max(2048),
  description: z.string().max(2048).optional(),
  body: z.string().max(16_384).optional(),
  headers: z.record(headerName, headerValue).refine(atMost, `At most ${maxPairs} headers`).optional(),
  queryParams: z
    .record(parameterName, parameterValue)
    .refine(atMost, `At most ${maxPairs} query parameters`)
    .optional(),
}

/** What a Slack webhook has no use for: Slack decides both form and content. */
export const notForSlack = ['body', 'headers', 'queryParams'] as const

function slackRules(
  webhook: { service: string } & Partial<Record<(typeof notForSlack)[number], unknown>>,
  context: z.RefinementCtx,
): void {
  if (webhook.service !== 'slack') return
  for (const field of notForSlack) {
    if (webhook[field] === undefined) continue
    const message = `${field} is not supported for the slack webhook service`
    context.addIssue({ code: 'custom', path: [field], message })
  }
}

/** What a client may send: services that only the deployment knows pass through, and so do their fields. */
export const webhookInput = z.looseObject({ service: openEnum(webhookServices), ...fields }).superRefine(slackRules)

/** What the stack accepts. Which addresses it takes is its own policy. */
export const webhookInputStrict = z.object({ service: z.enum(webhookServices), ...fields }).superRefine(slackRules)

/** A change of headers or parameters alone shows in `updatedAt` only: it counts. */
const record = { volatile: [] } as const
const webhookId = z.object({ webhookId: pathId })
/**
 * The specification offers the list alone: the stack serves the rest on the open-source variant, and all of it on the
 * managed one under the product's names (`productResources`). Others are asked.
 */
const beyond = { scope: 'stack', variants: ['openSource'], unspecified: true } as const

/** There is no read of one webhook: deployments offer none, the list has all there is to know. */
export const webhooks = resource('webhooks', {
  list: {
    method: 'GET',
    scope: 'stack',
    path: '/webhooks',
    variants: ['openSource'],
    paged: true,
    query: listQuery,
    record,
    list: true,
    result: z.array(webhook),
  },
  create: {
    ...beyond,
    method: 'POST',
    path: '/webhooks',
    body: webhookInput,
    strictBody: webhookInputStrict,
    result: webhook,
  },
  update: {
    ...beyond,
    method: 'PUT',
    path: '/webhooks/{webhookId}',
    params: webhookId,
    body: webhookInput,
    strictBody: webhookInputStrict,
    result: webhook,
  },
  delete: { ...beyond, method: 'DELETE', path: '/webhooks/{webhookId}', params: webhookId, result: z.unknown() },
})

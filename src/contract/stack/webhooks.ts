/**
 * Webhooks: docs/DEPLOYMENTS.md#webhooks. The specification only has their list, on the open-source
 * variant.
 */
import { z } from 'zod'
import { openEnum, pathId, resource, wireNumber } from '../wire/kernel.ts'
import { listQuery } from '../wire/lists.ts'

export const webhookServices = ['slack', 'generic', 'incidentio'] as const

/**
 * Headers and query parameters are write-only: responses do not contain them. The URL may contain a token, so it is
 * masked.
 */
export const webhook = z.looseObject({
  id: z.string(),
  name: z.string(),
  service: openEnum(webhookServices),
  url: z.string().optional(),
  description: z.string().nullish(),
  /** Only returned for the generic service. */
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
export const webhookFields = {
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

/** Fields without effect for Slack, which determines both format and content. */
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

/** The input of clients. Services and fields that only the deployment knows pass through. */
export const webhookInput = z
  .looseObject({ service: openEnum(webhookServices), ...webhookFields })
  .superRefine(slackRules)

/** The input that the stack accepts. Its address policy is checked separately. */
export const webhookInputStrict = z
  .object({ service: z.enum(webhookServices), ...webhookFields })
  .superRefine(slackRules)

/** A webhook to try: one that is stored, one that is typed, or a stored one with changed fields. */
const webhookTrial = z.looseObject({
  /** The stored webhook. Its URL, headers and query parameters are used where they are left out. */
  webhookId: z.string().max(128).optional(),
  service: openEnum(webhookServices).optional(),
  url: z.url().max(2048).optional(),
  body: webhookFields.body.nullable(),
  headers: webhookFields.headers,
  queryParams: webhookFields.queryParams,
})

/** The receiver's answer to a test notification. */
const webhookTestResult = z.looseObject({
  message: z.string(),
  /** Absent on deployments that respond with an error instead. */
  delivered: z.boolean().optional(),
  /** The HTTP status of the receiver, if it answered. */
  status: wireNumber.optional(),
  /** The beginning of the receiver's answer. */
  answer: z.string().optional(),
  /** Milliseconds. */
  duration: wireNumber.optional(),
})

export type WebhookTestResult = z.infer<typeof webhookTestResult>

/** `updatedAt` is part of the revision: changed headers or parameters show only there. */
const record = { volatile: [] } as const
const webhookId = z.object({ webhookId: pathId })
/**
 * The specification only has the list. The stack serves the other operations on the open-source variant, and all of them
 * on the managed one under the product’s names (`productResources`).
 */
const beyond = { scope: 'stack', variants: ['openSource'], unspecified: true } as const

/** The body of incident.io is not returned either. */
const stored = { unreturned: ['headers', 'queryParams', 'body'] }

/** Deployments have no route for a single webhook. The list has all of its fields. */
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
    stored: stored,
    result: webhook,
  },
  update: {
    ...beyond,
    method: 'PUT',
    path: '/webhooks/{webhookId}',
    params: webhookId,
    body: webhookInput,
    strictBody: webhookInputStrict,
    stored: stored,
    result: webhook,
  },
  delete: { ...beyond, method: 'DELETE', path: '/webhooks/{webhookId}', params: webhookId, result: z.unknown() },
  /** Sends a notification with fixed values. It changes no record, but somebody gets a message. */
  test: {
    ...beyond,
    alsoManaged: true,
    feature: 'test',
    method: 'POST',
    path: '/webhooks/test',
    body: webhookTrial,
    result: webhookTestResult,
  },
})

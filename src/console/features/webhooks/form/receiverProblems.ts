/** What a receiver needs and the form of a webhook does not have. */
import { emailGatewayOf } from '#domain/alerting/receivers/emailGateways.ts'
import { receiverKindOf } from '#domain/alerting/receivers/receiverKinds.ts'
import { bodyProblems } from '#domain/alerting/receivers/receiverRules.ts'
import type { Webhook } from '#contract/webhooks.ts'
import type { WebhookField, WebhookForm } from './webhookForm.ts'

/** Where, and what. What is stored already is not questioned. */
export function receiverProblems(form: WebhookForm, base: Webhook | null): { field: WebhookField; message: string }[] {
  const url = form.url.trim() || (base?.url ?? '')
  const kind = receiverKindOf({ ...form, url })
  const isBodyNew = form.body !== (base?.body ?? '')
  const inBody = isBodyNew
    ? bodyProblems(kind, form.body).map(({ message }) => ({ field: 'body' as const, message }))
    : []
  const keyName = kind === 'email' && base === null ? emailGatewayOf({ body: form.body })?.keyHeader.name : undefined
  const hasKey = form.headers.pairs.some(({ name }) => name.toLowerCase() === keyName?.toLowerCase())
  if (keyName === undefined || hasKey) return inBody
  return [...inBody, { field: 'headers', message: `Enter the API key of the gateway, which is sent as ${keyName}` }]
}

/** Values that a receiver needs and the form of a webhook lacks. */
import { emailGatewayOf } from '#domain/alerting/receivers/emailGateways.ts'
import { receiverKindOf } from '#domain/alerting/receivers/receiverKinds.ts'
import { bodyProblems } from '#domain/alerting/receivers/receiverRules.ts'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { isMasked } from './receiverForm.ts'
import { isMoved, type WebhookField, type WebhookForm } from './webhookForm.ts'

/** Where, and what. What is stored already is not questioned, unless the save clears it. */
export function receiverProblems(form: WebhookForm, base: Webhook | null): { field: WebhookField; message: string }[] {
  const url = form.url.trim() || (base?.url ?? '')
  const kind = receiverKindOf({ ...form, url })
  const moved = base === null || isMoved(form, base)
  const isBodyNew = form.body !== (base?.body ?? '')
  const inBody = [
    ...(isBodyNew ? bodyProblems(kind, form.body).map(({ message }) => message) : []),
    ...(moved && form.service !== 'slack' && isMasked(form.body) ? [keyIsElsewhere] : []),
  ].map((message) => ({ field: 'body' as const, message }))
  const keyName = kind === 'email' && moved ? emailGatewayOf({ body: form.body })?.keyHeader.name : undefined
  const hasKey = form.headers.pairs.some(({ name }) => name.toLowerCase() === keyName?.toLowerCase())
  if (keyName === undefined || hasKey) return inBody
  return [...inBody, { field: 'headers', message: `Enter the API key of the gateway, which is sent as ${keyName}` }]
}

/** A stored key is not sent to another receiver: the gateway refuses its mask there. */
export const keyIsElsewhere =
  'Enter the key in the body again: the stored one, which is not shown, is only for the URL and the service that it is stored with'

/** The changes of a save: the edited fields, and stored values that it clears. */
import { maskAddress } from '#console/ui/maskAddress.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import type { Webhook } from '#contract/stack/webhooks.ts'
import { maskRoutingKeys } from '#domain/alerting/receivers/routingKey.ts'
import {
  changedFields,
  fieldTitles,
  hidesBody,
  isMoved,
  readForm,
  writeBody,
  type Secrets,
  type WebhookField,
  type WebhookForm,
} from './webhookForm.ts'
import { receiverName } from '#domain/alerting/receivers/receiverKinds.ts'

const unseen = 'not returned by the API'

/** Every change of the save, including those that were not edited. */
export function changesOf(form: WebhookForm, base: Webhook): Change[] {
  const changed = changedFields(form, base)
  const before = readForm(base)
  const typed = changed.map((field): Change => ({
    title: fieldTitles[field],
    before: formatBefore(field, before, base),
    after: form.service === 'slack' && isSecret(field) ? 'none: not supported by Slack' : formatValue(field, form),
  }))
  return [...typed, ...unseenLosses(form, base)]
}

const isSecret = (field: WebhookField) => field === 'headers' || field === 'queryParams'

function formatBefore(field: WebhookField, before: WebhookForm, base: Webhook): string {
  if (field === 'url') return base.url ? maskAddress(base.url) : ''
  return isSecret(field) || (field === 'body' && hidesBody(base)) ? unseen : formatValue(field, before)
}

/** Stored values that a save clears although nobody edited them. */
export function unseenLosses(form: WebhookForm, base: Webhook): Change[] {
  const losses: Change[] = []
  if (isMoved(form, base)) {
    for (const field of ['headers', 'queryParams'] as const) {
      if (!form[field].kept || base.service === 'slack') continue
      losses.push({ title: fieldTitles[field], before: unseen, after: 'none: cleared with the URL or service' })
    }
  }
  if (hidesBody(base) && form.body === '') {
    losses.push({ title: fieldTitles.body, before: unseen, after: 'none: cleared, because it was not entered again' })
  }
  return losses
}

/** A value as a person reads it. Keys, and values of headers and query parameters, are never shown. */
export function formatValue(field: WebhookField, form: WebhookForm): string {
  const value = form[field]
  if (typeof value !== 'string') return formatSecrets(value)
  if (field === 'url') return value === '' ? '' : maskAddress(value)
  if (field === 'body') return maskRoutingKeys(value, (key) => (key.includes('•') ? key : '(new key)'))
  return field === 'service' ? receiverName({ service: value }) : value
}

function formatSecrets({ kept, pairs }: Secrets): string {
  if (kept) return 'unchanged'
  return pairs.map(({ name }) => `${name}: •••`).join(', ') || 'none'
}

/** The placeholder in commands for a key. */
const placeholder = '***'

/** The body as a command shows it: keys, values of headers and parameters, and the URL, are for the reader to fill in. */
export function commandBody(form: WebhookForm, base: Webhook): Record<string, unknown> {
  const hidden = ({ kept, pairs }: Secrets) => ({ kept, pairs: pairs.map((pair) => ({ ...pair, value: placeholder })) })
  const masked = {
    ...form,
    // A mask of another secret, such as a password in an address, is nothing to send either.
    body: maskRoutingKeys(form.body, placeholder).replace(/•+/g, placeholder),
    headers: hidden(form.headers),
    queryParams: hidden(form.queryParams),
  }
  return { ...writeBody(masked, base), url: 'https://url-of-the-webhook' }
}

/** Whether the command of a save has keys that somebody has to fill in. */
export function needsKeys(form: WebhookForm, base: Webhook): boolean {
  const { body, headers, queryParams } = commandBody(form, base)
  return JSON.stringify([body, headers, queryParams]).includes(placeholder)
}

/** What a save would do to a webhook, in words: what was changed, and what goes with it unseen. */
import { maskAddress } from '#console/ui/maskAddress.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import type { Webhook } from '#contract/webhooks.ts'
import {
  changedFields,
  fieldTitles,
  hidesBody,
  isMoved,
  readForm,
  type Secrets,
  type WebhookField,
  type WebhookForm,
} from './webhookForm.ts'
import { formatService } from './webhookLabels.ts'

const unseen = 'not readable'

/** A value as a person reads it. Values of headers and query parameters stay out of sight. */
export function formatValue(field: WebhookField, form: WebhookForm): string {
  const value = form[field]
  if (typeof value !== 'string') return formatSecrets(value)
  if (field === 'url') return value === '' ? '' : maskAddress(value)
  return field === 'service' ? formatService(value) : value
}

function formatSecrets({ kept, pairs }: Secrets): string {
  if (kept) return 'kept as they are'
  return pairs.map(({ name }) => `${name}: •••`).join(', ') || 'none'
}

/** Every change that the save would make, those that nobody typed among them. */
export function changesOf(form: WebhookForm, base: Webhook): Change[] {
  const changed = changedFields(form, base)
  const before = readForm(base)
  const typed = changed.map((field): Change => ({
    title: fieldTitles[field],
    before: formatBefore(field, before, base),
    after: form.service === 'slack' && isSecret(field) ? 'none: Slack takes none' : formatValue(field, form),
  }))
  return [...typed, ...unseenLosses(form, base)]
}

const isSecret = (field: WebhookField) => field === 'headers' || field === 'queryParams'

function formatBefore(field: WebhookField, before: WebhookForm, base: Webhook): string {
  if (field === 'url') return base.url ? maskAddress(base.url) : ''
  return isSecret(field) || (field === 'body' && hidesBody(base)) ? unseen : formatValue(field, before)
}

/** What a save clears although nobody touched it. */
export function unseenLosses(form: WebhookForm, base: Webhook): Change[] {
  const losses: Change[] = []
  if (isMoved(form, base)) {
    for (const field of ['headers', 'queryParams'] as const) {
      if (!form[field].kept || base.service === 'slack') continue
      losses.push({ title: fieldTitles[field], before: unseen, after: 'none: cleared with the address or service' })
    }
  }
  if (hidesBody(base) && form.body === '') {
    losses.push({ title: fieldTitles.body, before: unseen, after: 'none: it cannot be sent back unseen' })
  }
  return losses
}

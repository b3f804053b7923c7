/** Converts a webhook to the form and back to the request body. */
import { sameValue, setField } from '#console/ui/form/values.ts'
import type { Input } from '#contract/wire/kernel.ts'
import { notForSlack, type Webhook, type webhooks } from '#contract/stack/webhooks.ts'

type Pair = { name: string; value: string }

/** Headers or query parameters: the API never returns them, so they are kept, or replaced as a whole. */
export type Secrets = { kept: boolean; pairs: Pair[] }

/** The values of the form. In an edit, an empty URL keeps the stored one, of which only a masked form is shown. */
export type WebhookForm = {
  name: string
  service: string
  url: string
  description: string
  body: string
  headers: Secrets
  queryParams: Secrets
}

export type WebhookField = keyof WebhookForm

/** The label of every field, in the order of the form. */
export const fieldTitles: Record<WebhookField, string> = {
  name: 'Name',
  service: 'Service',
  url: 'URL',
  description: 'Description',
  body: 'Body',
  headers: 'Headers',
  queryParams: 'Query parameters',
}

// Object.keys forgets that these are the keys of the record above.
export const webhookFields = Object.keys(fieldTitles) as WebhookField[]

export const secretFields = ['headers', 'queryParams'] as const

const noSecrets: Secrets = { kept: false, pairs: [] }

export const emptyForm: WebhookForm = {
  name: '',
  service: 'generic',
  url: '',
  description: '',
  body: '',
  headers: noSecrets,
  queryParams: noSecrets,
}

/** The fields that a receiver determines. The name and the description stay when another one is chosen. */
export const receiverFields = ['service', 'url', 'body', 'headers', 'queryParams'] as const
export type ReceiverFieldValues = Pick<WebhookForm, (typeof receiverFields)[number]>

export const receiverValues = ({ service, url, body, headers, queryParams }: WebhookForm): ReceiverFieldValues => ({
  service,
  url,
  body,
  headers,
  queryParams,
})

export function readForm(webhook: Webhook): WebhookForm {
  return {
    name: webhook.name,
    service: webhook.service,
    url: '',
    description: webhook.description ?? '',
    body: webhook.body ?? '',
    headers: { kept: true, pairs: [] },
    queryParams: { kept: true, pairs: [] },
  }
}

/** The form with the URL that a save would leave, for a comparison with another version. */
export function withUrl(form: WebhookForm, base: Webhook): WebhookForm {
  return { ...form, url: form.url.trim() || (base.url ?? '') }
}

/** Fields that a deployment sets by itself. */
const readOnlyFields = ['id', 'teamId', 'team', 'createdAt', 'updatedAt']

function writable(webhook: Webhook): Record<string, unknown> {
  return Object.fromEntries(Object.entries(webhook).filter(([key]) => !readOnlyFields.includes(key)))
}

/** Whether two reads show the same webhook. Headers and query parameters are on neither. */
export function sameShown(a: Webhook, b: Webhook): boolean {
  return sameValue(writable(a), writable(b))
}

/** The fields that a person changed. */
export function changedFields(form: WebhookForm, base: Webhook | null): WebhookField[] {
  const before = base ? readForm(base) : emptyForm
  return webhookFields.filter((field) =>
    field === 'url' && base ? !['', base.url].includes(form.url.trim()) : !sameValue(form[field], before[field]),
  )
}

/** Whether the API returns a field as it is stored: the URL and keys in the body are masked, and secrets are not there. */
export const isReturned = (field: WebhookField, base: Webhook): boolean =>
  field === 'name' || field === 'description' || (field === 'body' && !hidesBody(base) && !base.body?.includes('•'))

/** With another URL or service, the deployment clears headers and query parameters that are not sent. */
export function isMoved(form: Pick<WebhookForm, 'url' | 'service'>, base: Webhook): boolean {
  return form.service !== base.service || !['', base.url].includes(form.url.trim())
}

/** The API does not return the body of this service, so a save without one clears it. */
export function hidesBody({ service }: Pick<Webhook, 'service'>): boolean {
  return service !== 'generic' && service !== 'slack'
}

/** The body that sends the form. Unchanged secrets are omitted, so that the deployment keeps them. */
export function writeBody(form: WebhookForm, base: Webhook | null): Record<string, unknown> {
  const body: Record<string, unknown> = base ? writable(base) : {}
  const slack = form.service === 'slack'
  body['name'] = form.name.trim()
  body['service'] = form.service
  body['url'] = form.url.trim() || (base?.url ?? '')
  setField(body, 'description', form.description || undefined)
  setField(body, 'body', form.body || undefined)
  for (const field of secretFields) setField(body, field, sent(form[field], base))
  if (slack) for (const field of notForSlack) setField(body, field, undefined)
  return body
}

/** The webhook of the form, to try it without saving. What is kept is filled in by the deployment. */
export function trialBody(form: WebhookForm, base: Webhook | null): Input<typeof webhooks.test>['body'] {
  const { webhookId, url } = { webhookId: base?.id, url: form.url.trim() }
  const isSlack = form.service === 'slack'
  // The key of a stored body is not known here: the deployment has the whole of it.
  const isStored = base !== null && form.body === base.body && form.body.includes('•') && !isMoved(form, base)
  const pairs = secretFields.flatMap((field) => {
    const value = isSlack ? undefined : sent(form[field], base)
    return value === undefined ? [] : [[field, value] as const]
  })
  return {
    ...(webhookId !== undefined && { webhookId }),
    service: form.service,
    ...(url !== '' && { url }),
    ...(!isSlack && !isStored && { body: form.body === '' ? null : form.body }),
    ...Object.fromEntries(pairs),
  }
}

/** Empty fields clear stored values; a new webhook has none. */
function sent({ kept, pairs }: Secrets, base: Webhook | null): Record<string, string> | undefined {
  if (kept || (!base && pairs.length === 0)) return undefined
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}

/** Between a webhook as it was read, the form that mirrors it, and the body that is sent. */
import { z } from 'zod'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { sameValue, setField } from '#console/ui/form/values.ts'
import { notForSlack, webhookInput, type Webhook } from '#contract/webhooks.ts'

export type Pair = { name: string; value: string }

/** Headers or query parameters: the API never answers them, so they are kept unseen or entered anew as a whole. */
export type Secrets = { kept: boolean; pairs: Pair[] }

/** What is on the screen. An empty address of an edit keeps the one that is there, which is shown masked only. */
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

/** Every field, as it is called on the screen, in the order of the form. */
export const fieldTitles: Record<WebhookField, string> = {
  name: 'Name',
  service: 'Service',
  url: 'Address',
  description: 'Description',
  body: 'Body',
  headers: 'Headers',
  queryParams: 'Query parameters',
}

// Object.keys forgets that these are the keys of the record above.
export const webhookFields = Object.keys(fieldTitles) as WebhookField[]

const secretFields = ['headers', 'queryParams'] as const

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

/** The form with the address that it would leave: for comparing with what somebody else saved. */
export function withAddress(form: WebhookForm, base: Webhook): WebhookForm {
  return { ...form, url: form.url.trim() || (base.url ?? '') }
}

/** What a deployment sets by itself. */
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

/** Whether a webhook has all that the form says, as far as a read tells: an address is masked, secrets are not there. */
export function showsAll(form: WebhookForm, now: Webhook): boolean {
  const readable: readonly WebhookField[] = hidesBody(now)
    ? ['name', 'service', 'description']
    : ['name', 'service', 'description', 'body']
  const shown = readForm(now)
  return readable.every((field) => form[field] === shown[field])
}

/** Another address or service: the deployment then clears headers and query parameters that are not entered again. */
export function isMoved(form: Pick<WebhookForm, 'url' | 'service'>, base: Webhook): boolean {
  return form.service !== base.service || !['', base.url].includes(form.url.trim())
}

/** The service answers no body, so that a save without one clears it unseen. */
export function hidesBody({ service }: Pick<Webhook, 'service'>): boolean {
  return service !== 'generic' && service !== 'slack'
}

/** The body that sends the form. What is kept unseen is left out: the deployment then keeps it. */
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

/** Nothing entered clears what is there; on a new webhook there is nothing to clear. */
function sent({ kept, pairs }: Secrets, base: Webhook | null): Record<string, string> | undefined {
  if (kept || (!base && pairs.length === 0)) return undefined
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}

/** The rules of the contract, on the body that the form would send; their errors land on the form's fields. */
export function formSchema(base: Webhook | null) {
  return z.custom<WebhookForm>().superRefine((form, context) => {
    const issues = webhookInput.safeParse(writeBody(form, base)).error?.issues ?? []
    for (const issue of issues) {
      context.addIssue({ code: 'custom', path: placeOf(form, issue.path), message: formatWebhookIssue(issue) })
    }
    for (const field of secretFields) {
      const names = form[field].pairs.map((pair) => pair.name)
      names.forEach((name, at) => {
        if (names.indexOf(name) === at) return
        context.addIssue({ code: 'custom', path: [field, 'pairs', at, 'name'], message: 'Entered twice' })
      })
    }
  })
}

/** `headers.X-Key` of a body is a row of the form. */
export function placeOf(form: WebhookForm, path: readonly PropertyKey[]): PropertyKey[] {
  const [field, name] = path
  const secrets = secretFields.find((one) => one === field)
  if (!secrets || name === undefined) return [...path]
  const at = form[secrets].pairs.findIndex((pair) => pair.name === name)
  return at < 0 ? [secrets] : [secrets, 'pairs', at, 'name']
}

function formatWebhookIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path[0]
  if (issue.code === 'invalid_key') return 'Not a name that HTTP knows: letters, digits and -_. without spaces'
  if (issue.code === 'invalid_format' && field === 'url') return 'A whole address is needed, such as https://host/path'
  if (issue.code === 'invalid_format') return 'Line breaks and control characters cannot be sent'
  return formatIssue(issue)
}

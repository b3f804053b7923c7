/** The form of a webhook as its pages use it: rules, refusals, conflicts. */
import { z } from 'zod'
import type { ApiFailure } from '#console/api/failure.ts'
import type { RecordForm } from '#console/records/record/recordForm.ts'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { webhookInput, type Webhook } from '#contract/stack/webhooks.ts'
import { maskRoutingKeys } from '#domain/alerting/receivers/routingKey.ts'
import {
  changedFields,
  fieldTitles,
  hidesBody,
  readForm,
  secretFields,
  webhookFields,
  withUrl,
  writeBody,
  type WebhookField,
  type WebhookForm,
} from './webhookForm.ts'
import { formatValue } from './changes.ts'

/**
 * The rules of the contract, on the body that the form would send, and those of its receiver; their errors land on the form's
 * fields.
 */
export function formSchema(base: Webhook | null) {
  return z.custom<WebhookForm>().superRefine(async (form, context) => {
    const issues = webhookInput.safeParse(writeBody(form, base)).error?.issues ?? []
    for (const issue of issues) {
      context.addIssue({ code: 'custom', path: placeOf(form, issue.path), message: formatWebhookIssue(issue) })
    }
    for (const field of secretFields) {
      const names = form[field].pairs.map((pair) => pair.name)
      names.forEach((name, at) => {
        if (names.indexOf(name) === at) return
        context.addIssue({ code: 'custom', path: [field, 'pairs', at, 'name'], message: 'Duplicate name' })
      })
    }
    const { receiverProblems } = await import('./receiverProblems.ts')
    for (const { field, message } of receiverProblems(form, base)) {
      context.addIssue({ code: 'custom', path: [field], message })
    }
  })
}

/** `headers.X-Key` of a body is a row of the form. */
function placeOf(form: WebhookForm, path: readonly PropertyKey[]): PropertyKey[] {
  const [field, name] = path
  const secrets = secretFields.find((secretField) => secretField === field)
  if (!secrets || name === undefined) return [...path]
  const at = form[secrets].pairs.findIndex((pair) => pair.name === name)
  return at < 0 ? [secrets] : [secrets, 'pairs', at, 'name']
}

function formatWebhookIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path[0]
  if (issue.code === 'invalid_key') return 'Not a valid name: use letters, digits and -_. without spaces'
  if (issue.code === 'invalid_format' && field === 'url') return 'Enter a full URL, such as https://host/path'
  if (issue.code === 'invalid_format') return 'Line breaks and control characters are not allowed'
  return formatIssue(issue)
}

/** The fields that the API means by refusals which name none, by their messages. */
const meantFields: readonly (readonly [says: RegExp, field: string])[] = [
  [/service and name already exists/i, 'name'],
  [/webhook url/i, 'url'],
]

/** Where the refusals of the API belong on the form. */
function refusals(failure: ApiFailure, form: WebhookForm): { path: string; message: string }[] {
  if (failure.fields?.length) {
    return failure.fields.map(({ path, message }) => {
      const [field = '', ...name] = path.split('.')
      const parts = name.length > 0 ? [field, name.join('.')] : [field]
      return { path: placeOf(form, parts).join('.'), message }
    })
  }
  const field = failure.code === 'invalid' && meantFields.find(([says]) => says.test(failure.message))?.[1]
  return field ? [{ path: field, message: failure.message }] : []
}

/** Whether a webhook matches the form, as far as a read shows: the URL is masked, secrets are not returned. */
export function showsAll(form: WebhookForm, now: Webhook): boolean {
  const readable: readonly WebhookField[] = hidesBody(now)
    ? ['name', 'service', 'description']
    : ['name', 'service', 'description', 'body']
  const shown = readForm(now)
  const typed = { ...form, body: maskRoutingKeys(form.body, '••••••••') }
  return readable.every((field) => typed[field] === shown[field])
}

const stored = (webhook: Webhook) => withUrl(readForm(webhook), webhook)

export const webhookForm: RecordForm<Webhook, WebhookForm> = {
  titles: fieldTitles,
  read: readForm,
  schema: formSchema,
  body: writeBody,
  changed: changedFields,
  formatValue,
  refusals,
  errorPaths: (form) => [
    ...webhookFields,
    ...secretFields.flatMap((field) => form[field].pairs.map((_, at) => `${field}.pairs.${at}.name` as const)),
  ],
  applied: (form, now, base) => now.updatedAt !== base.updatedAt && showsAll(form, now),
  conflicts: (form, base, theirs) => theirChanges(webhookFields, withUrl(form, base), stored(base), stored(theirs)),
  merge: (form, base, theirs, taken) => {
    const merged = rebase(webhookFields, withUrl(form, base), stored(base), stored(theirs), taken)
    return { ...merged, url: merged.url === theirs.url ? '' : merged.url }
  },
}

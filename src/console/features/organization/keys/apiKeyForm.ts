/** Converts an API key to the form and back to the request body. Only changes are sent. */
import { z } from 'zod'
import type { RecordForm } from '#console/records/record/recordForm.ts'
import { formatIssue } from '#console/ui/form/formatIssue.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { apiKeyInput, apiKeyUpdate, type ApiKey } from '#contract/cloud/organization/apiKeys.ts'

export type ApiKeyForm = {
  name: string
  roleIds: string[]
  /** ISO; empty for never. */
  expireAt: string
  access: { source: string; description: string }[]
}

export const fieldTitles: Record<keyof ApiKeyForm, string> = {
  name: 'Name',
  roleIds: 'Roles',
  expireAt: 'Expires',
  access: 'Allowed from',
}

// Object.keys forgets that these are the keys of the record above.
const fields = Object.keys(fieldTitles) as (keyof ApiKeyForm)[]

export const emptyForm: ApiKeyForm = {
  name: '',
  roleIds: [],
  expireAt: '',
  access: [
    { source: '0.0.0.0/0', description: 'Anywhere (IPv4)' },
    { source: '::/0', description: 'Anywhere (IPv6)' },
  ],
}

function readForm(key: ApiKey): ApiKeyForm {
  return {
    name: key.name,
    roleIds: (key.assignedRoles ?? []).map(({ roleId }) => roleId),
    expireAt: key.expireAt ?? '',
    access: (key.ipAccessList ?? []).map(({ source, description }) => ({ source, description: description ?? '' })),
  }
}

const changedFields = (form: ApiKeyForm, base: ApiKey | null): (keyof ApiKeyForm)[] => {
  const before = base ? readForm(base) : emptyForm
  return fields.filter((field) => !sameValue(form[field], before[field]))
}

/** The API's name of a field. */
const wireNames: Record<keyof ApiKeyForm, string> = {
  name: 'name',
  roleIds: 'assignedRoleIds',
  expireAt: 'expireAt',
  access: 'ipAccessList',
}

function writeBody(form: ApiKeyForm, base: ApiKey | null): Record<string, unknown> {
  const values: Record<keyof ApiKeyForm, unknown> = {
    name: form.name.trim(),
    roleIds: form.roleIds,
    expireAt: form.expireAt || null,
    access: form.access
      .map(({ source, description }) => ({ source: source.trim(), description: description.trim() }))
      .map(({ source, description }) => (description ? { source, description } : { source })),
  }
  const sent = base ? changedFields(form, base) : fields
  return Object.fromEntries(sent.map((field) => [wireNames[field], values[field]]))
}

/** Where an issue of the body belongs on the form. */
function placeOf(path: readonly PropertyKey[]): (string | number)[] {
  const [first, ...rest] = path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  const field = fields.find((candidate) => wireNames[candidate] === first) ?? 'name'
  return field === 'access' && rest.length > 1 ? [field, ...rest] : [field]
}

function formSchema(base: ApiKey | null) {
  const schema = base ? apiKeyUpdate : apiKeyInput
  return z.custom<ApiKeyForm>().superRefine((form, context) => {
    const issue = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (form.name.trim() === '') issue(['name'], 'Required')
    for (const zodIssue of schema.safeParse(writeBody(form, base)).error?.issues ?? []) {
      issue(placeOf(zodIssue.path), formatIssue(zodIssue))
    }
    const changed = changedFields(form, base)
    if (form.roleIds.length === 0 && (!base || changed.includes('roleIds'))) {
      issue(['roleIds'], 'Without a role, every request of the key is refused')
    }
    if (form.access.length === 0 && (!base || changed.includes('access'))) {
      issue(['access'], 'Without an entry, the key cannot be used from anywhere')
    }
  })
}

/** A value as a person reads it. Roles are counted: their names are not part of the form. */
function formatValue(field: keyof ApiKeyForm, form: ApiKeyForm): string {
  if (field === 'access') return form.access.map(({ source }) => source).join(', ') || 'nowhere'
  if (field === 'roleIds') return form.roleIds.join(', ') || 'none'
  return form[field] || (field === 'expireAt' ? 'never' : 'none')
}

export const apiKeyForm: RecordForm<ApiKey, ApiKeyForm> = {
  titles: fieldTitles,
  read: readForm,
  schema: formSchema,
  body: writeBody,
  changed: changedFields,
  formatValue,
  refusals: ({ fields: refused = [] }) =>
    refused.map(({ path, message }) => ({ path: placeOf(path.split('.')).join('.'), message })),
  errorPaths: (form) => [...fields, ...form.access.map((_, at) => `access.${at}.source` as const)],
}

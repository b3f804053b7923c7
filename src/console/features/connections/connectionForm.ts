/** Converts a connection to the form and back to the request body. */
import { withoutEnd } from '#domain/text/withoutEnd.ts'
import type { FieldPath } from 'react-hook-form'
import { z } from 'zod'
import { connectionInput, type Connection, type ConnectionInput } from '#contract/console/connections.ts'
import { capitalized } from '#domain/text/words.ts'

/** The form's values: '' for an empty field. Secrets are empty until they are entered. */
export interface ConnectionForm {
  name: string
  variant: ConnectionInput['variant']
  baseUrl: string
  organizationId: string
  serviceId: string
  naming: NonNullable<ConnectionInput['naming']>
  stage: NonNullable<ConnectionInput['stage']>
  readOnly: boolean
  allowPrivate: boolean
  sqlForReaders: boolean
  sharedLinks: boolean
  accessKey: string
  keyId: string
  keySecret: string
}

export const connectionFields: FieldPath<ConnectionForm>[] = [
  'name',
  'variant',
  'baseUrl',
  'organizationId',
  'serviceId',
  'naming',
  'stage',
  'readOnly',
  'allowPrivate',
  'sqlForReaders',
  'sharedLinks',
  'accessKey',
  'keyId',
  'keySecret',
]

export const newConnection: ConnectionForm = {
  name: '',
  variant: 'openSource',
  baseUrl: '',
  organizationId: '',
  serviceId: '',
  naming: 'neutral',
  stage: 'production',
  readOnly: false,
  allowPrivate: false,
  sqlForReaders: false,
  sharedLinks: false,
  accessKey: '',
  keyId: '',
  keySecret: '',
}

export function formOf(connection: Connection): ConnectionForm {
  const { name, variant, baseUrl, naming, stage, allowPrivate, sqlForReaders = false, sharedLinks = false } = connection
  // Production is read-only by default. The form does not show whether writes are allowed for a while.
  const readOnly = stage === 'production' || connection.readOnly
  const { organizationId = '', serviceId = '', keyId = '' } = connection
  const stored = { name, variant, baseUrl, naming, stage, readOnly, allowPrivate, sqlForReaders, sharedLinks }
  return { ...newConnection, ...stored, organizationId, serviceId, keyId }
}

/** The request body: only the fields of the variant, and no secret that was not entered. Blanks around pasted keys are removed. */
export function inputOf(form: ConnectionForm): ConnectionInput {
  const { name, variant, naming, stage, readOnly, allowPrivate, sqlForReaders, sharedLinks } = form
  const shared = {
    name,
    variant,
    baseUrl: withoutSlash(form.baseUrl.trim()),
    naming,
    stage,
    readOnly,
    allowPrivate,
    // These have an effect on production alone.
    ...(sqlForReaders && { sqlForReaders }),
    ...(sharedLinks && { sharedLinks }),
  }
  if (variant === 'openSource') return { ...shared, ...entered({ accessKey: form.accessKey }) }
  const { organizationId, serviceId, keyId, keySecret } = form
  return { ...shared, ...entered({ organizationId, serviceId, keyId, keySecret }) }
}

/** An address without slashes at its end. */
export const withoutSlash = (address: string) => withoutEnd(address, /\//)

function entered<K extends string>(texts: Record<K, string>): Partial<Record<K, string>> {
  const trimmed = Object.entries<string>(texts).map(([key, text]) => [key, text.trim()] as const)
  // The type of Object.fromEntries has no keys; they are those of `texts`.
  return Object.fromEntries(trimmed.filter(([, text]) => text !== '')) as Partial<Record<K, string>>
}

/** Which secret a variant has. */
const secretOf = (variant: ConnectionInput['variant']) => (variant === 'managed' ? 'keySecret' : 'accessKey')

/** Whether the stored key can be used with the form's values: it is never sent to another address. */
export function keepsSecret(
  form: Pick<ConnectionForm, 'variant' | 'baseUrl'>,
  stored: Connection | undefined,
): boolean {
  return stored?.variant === form.variant && withoutSlash(stored.baseUrl) === withoutSlash(form.baseUrl.trim())
}

/** Which protection of a connection a save removes. */
export function removedProtection(stored: Connection, form: ConnectionForm): 'production' | 'readOnly' | null {
  if (stored.stage === 'production') return form.stage === 'production' ? null : 'production'
  return stored.readOnly && !form.readOnly && form.stage !== 'production' ? 'readOnly' : null
}

/** The field names that an address suggests; null without a suggestion. The test reports a wrong choice. */
export function suggestedNaming(baseUrl: string): ConnectionForm['naming'] | null {
  return /clickhouse|clickstack/i.test(baseUrl) ? 'clickhouse' : null
}

/** Names of changed fields, as the form labels them. */
export function changedLabels(before: ConnectionForm, now: ConnectionForm): string[] {
  return connectionFields.filter((field) => before[field] !== now[field]).map((field) => connectionLabels[field])
}

export const connectionLabels: Record<keyof ConnectionForm, string> = {
  name: 'Name',
  variant: 'Variant',
  baseUrl: 'Base URL',
  organizationId: 'Organization ID',
  serviceId: 'Service ID',
  naming: 'API naming',
  stage: 'Stage',
  readOnly: 'Read-only',
  allowPrivate: 'Private addresses',
  sqlForReaders: 'SQL for everybody who may read',
  sharedLinks: 'Shared links',
  accessKey: 'Personal access key',
  keyId: 'Key ID',
  keySecret: 'Key secret',
}

/** The contract's rules, and that there is a key to send. `stored` is the connection that is edited. */
export const connectionSchema = (stored: Connection | undefined): z.ZodType<ConnectionForm, ConnectionForm> =>
  z.custom<ConnectionForm>().superRefine((form, context) => {
    const refuse = (field: FieldPath<ConnectionForm>, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    for (const { path, message } of connectionInput.safeParse(inputOf(form)).error?.issues ?? []) {
      refuse(connectionFields.find((field) => field === path[0]) ?? 'name', capitalized(message))
    }
    const secret = secretOf(form.variant)
    if (form[secret].trim() === '' && !keepsSecret(form, stored)) {
      refuse(secret, stored ? 'Enter the key for the new address' : 'Required')
    }
    if (form.variant === 'managed' && form.keyId.trim() === '') refuse('keyId', 'Required')
  })

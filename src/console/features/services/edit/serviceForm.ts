/** Converts between a service, its edit form and the request body of the update. Only changes are sent. */
import { z } from 'zod'
import type { FieldPath } from 'react-hook-form'
import type { ApiFailure } from '#console/api/failure.ts'
import type { EditForm } from '#console/records/record/recordForm.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { rebase, theirChanges, type ConflictRow } from '#console/ui/form/conflict.ts'
import type { Connection } from '#contract/console/connections.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { serviceNameRule } from '#contract/cloud/services/serviceNames.ts'
import { ipSource, serviceUpdate, type Service, type ServiceUpdate } from '#contract/cloud/services/services.ts'
import { capitalized } from '#domain/text/words.ts'
import { accessChange, accessEdits, accessEntries, mergeAccessLists, type AccessEntry } from '../model/accessList.ts'

export interface ServiceForm {
  name: string
  releaseChannel: string
  mysql: boolean
  /** The ID of the key to rotate to. */
  keyId: string
  access: AccessEntry[]
  privateEndpoints: { value: string }[]
}

export const fieldLabels: Record<keyof ServiceForm, string> = {
  name: 'Name',
  releaseChannel: 'Release channel',
  mysql: 'MySQL endpoint',
  keyId: 'Encryption key ID',
  access: 'IP access list',
  privateEndpoints: 'Private endpoints',
}

const hasMysql = ({ endpoints }: Service) => (endpoints ?? []).some(({ protocol }) => protocol === 'mysql')

export function readForm(service: Service): ServiceForm {
  return {
    name: service.name ?? '',
    releaseChannel: service.releaseChannel ?? '',
    mysql: hasMysql(service),
    keyId: service.transparentDataEncryptionKeyId ?? '',
    access: accessEntries(service.ipAccessList),
    privateEndpoints: (service.privateEndpointIds ?? []).map((value) => ({ value })),
  }
}

/** The fields with a single value. */
const singleFields = ['name', 'releaseChannel', 'mysql', 'keyId'] as const
type SingleField = (typeof singleFields)[number]

/** The request body that applies the form to the latest service. Lists are sent as additions and removals. */
export function serviceBody(form: ServiceForm, base: Service, latest: Service): Record<string, unknown> {
  const [before, now] = [readForm(base), readForm(latest)]
  const isChanged = (field: SingleField) => form[field] !== before[field] && form[field] !== now[field]
  const ipAccessList = accessChange(before.access, entriesOf(form), now.access)
  const privateEndpointIds = idsChange(before.privateEndpoints, form.privateEndpoints, now.privateEndpoints)
  return {
    ...(isChanged('name') && { name: form.name.trim() }),
    ...(isChanged('releaseChannel') && { releaseChannel: form.releaseChannel }),
    ...(isChanged('mysql') && { endpoints: [{ protocol: 'mysql', enabled: form.mysql }] }),
    ...(isChanged('keyId') && { transparentDataEncryptionKeyId: form.keyId.trim() }),
    ...(ipAccessList && { ipAccessList }),
    ...(privateEndpointIds && { privateEndpointIds }),
  }
}

/** The entries without empty rows. */
const entriesOf = ({ access }: ServiceForm): AccessEntry[] =>
  access
    .map(({ source, description }) => ({ source: source.trim(), description }))
    .filter(({ source, description }) => source !== '' || description !== '')

type Ids = readonly { value: string }[]
const values = (ids: Ids) => ids.map(({ value }) => value.trim()).filter((id) => id !== '')

function idsChange(base: Ids, edited: Ids, latest: Ids): ServiceUpdate['privateEndpointIds'] {
  const [before, after, now] = [base, edited, latest].map((ids) => new Set(values(ids)))
  if (!before || !after || !now) return undefined
  const add = [...after].filter((id) => !before.has(id) && !now.has(id))
  const remove = [...before].filter((id) => !after.has(id) && now.has(id))
  if (add.length + remove.length === 0) return undefined
  return { ...(remove.length > 0 && { remove }), ...(add.length > 0 && { add }) }
}

/** The changes of the form, one row per list entry. */
export function serviceChanges(form: ServiceForm, base: Service): Change[] {
  const before = readForm(base)
  const { removed, upserted } = accessEdits(before.access, entriesOf(form))
  const entry = (source: string) => before.access.find((accessEntry) => accessEntry.source === source)
  const [had, has] = [values(before.privateEndpoints), values(form.privateEndpoints)]
  return [
    ...singleFields
      .filter((field) => form[field] !== before[field])
      .map((field) => ({
        title: fieldLabels[field],
        before: formatValue(field, before),
        after: formatValue(field, form),
      })),
    ...removed.map(({ source, description }) => ({
      title: `Access from ${source}`,
      before: description || 'allowed',
      after: 'removed',
    })),
    ...upserted.map(({ source, description }) => {
      const known = entry(source)
      return {
        title: `Access from ${source || '(no address)'}`,
        before: known ? known.description || 'allowed' : '',
        after: description || 'allowed',
      }
    }),
    ...had
      .filter((id) => !has.includes(id))
      .map((id) => ({ title: `Private endpoint ${id}`, before: 'attached', after: 'removed' })),
    ...has
      .filter((id) => !had.includes(id))
      .map((id) => ({ title: `Private endpoint ${id}`, before: '', after: 'attached' })),
  ]
}

/** Single fields that somebody else changed since the form was opened. Lists are merged, so they cannot conflict. */
export function theirFields(form: ServiceForm, base: Service, latest: Service): ConflictRow<ServiceForm>[] {
  return theirChanges(singleFields, form, readForm(base), readForm(latest))
}

/** The form rebased on the latest service: their values in the fields of `taken`, and the list edits of both. */
export function mergedForm(
  form: ServiceForm,
  base: Service,
  latest: Service,
  taken: readonly (keyof ServiceForm)[],
): ServiceForm {
  const [before, now] = [readForm(base), readForm(latest)]
  const ids = idsChange(before.privateEndpoints, form.privateEndpoints, now.privateEndpoints)
  const kept = values(now.privateEndpoints).filter((id) => !ids?.remove?.includes(id))
  return {
    ...rebase(singleFields, form, before, now, taken),
    access: mergeAccessLists(before.access, entriesOf(form), now.access),
    privateEndpoints: [...kept, ...(ids?.add ?? [])].map((value) => ({ value })),
  }
}

/** A single field as text. */
function formatValue(field: keyof ServiceForm, form: ServiceForm): string {
  const value = form[field]
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' && value !== '' ? value : 'none'
}

/** Changes that need an extra confirmation because others may lose access. */
export function riskyChanges(body: Record<string, unknown>): string[] {
  const [toggle] = z.object({ endpoints: serviceUpdate.shape.endpoints }).parse(body).endpoints ?? []
  return [
    ...(toggle
      ? [
          toggle.enabled
            ? 'Opens the MySQL endpoint to every address on the IP access list.'
            : 'Closes the MySQL endpoint. Clients that use it lose their connection.',
        ]
      : []),
    ...('transparentDataEncryptionKeyId' in body
      ? ['Rotates the encryption key. Keep the old key until the rotation is complete.']
      : []),
  ]
}

/** The contract's rules for the changed fields. Stored values may predate the rules. */
export function formSchema(base: Service, { naming }: Pick<Connection, 'naming'>) {
  const before = readForm(base)
  return z.custom<ServiceForm>().superRefine((form, context) => {
    const addIssue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message: sentence(message) })
    const check = (schema: z.ZodType, value: unknown, path: (string | number)[]) => {
      const [issue] = schema.safeParse(value).error?.issues ?? []
      if (issue) addIssue(path, issue.message)
    }
    if (form.name !== before.name) check(serviceNameRule(namingProfiles[naming], base.name), form.name.trim(), ['name'])
    if (form.releaseChannel !== before.releaseChannel) {
      check(serviceUpdate.shape.releaseChannel, form.releaseChannel, ['releaseChannel'])
    }
    if (form.keyId !== before.keyId) {
      check(serviceUpdate.shape.transparentDataEncryptionKeyId, form.keyId.trim(), ['keyId'])
    }
    const known = new Set(before.access.map(({ source }) => source))
    const seen = new Set<string>()
    for (const [at, entry] of form.access.entries()) {
      const source = entry.source.trim()
      if (source === '' && entry.description === '') continue
      if (seen.has(source)) addIssue(['access', at, 'source'], 'is already in the list')
      else if (!known.has(source)) check(ipSource, source, ['access', at, 'source'])
      if (entry.description.length > 256) addIssue(['access', at, 'description'], 'must be at most 256 characters')
      seen.add(source)
    }
  })
}

const sentence = (text: string) => `${capitalized(text)}.`

/** Maps a path of the body to a path of the form. */
export function formPath(path: string, body: Record<string, unknown>, form: ServiceForm): string {
  const update = serviceUpdate.safeParse(body)
  const [, at, field = 'source'] = /^ipAccessList\.add\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
  if (at !== undefined && update.success) {
    const source = update.data.ipAccessList?.add?.[Number(at)]?.source
    const row = form.access.findIndex((entry) => entry.source.trim() === source)
    return row === -1 ? 'access' : `access.${row}.${field}`
  }
  if (path.startsWith('ipAccessList')) return 'access'
  if (path.startsWith('privateEndpointIds')) return 'privateEndpoints'
  if (path.startsWith('endpoints')) return 'mysql'
  return path === 'transparentDataEncryptionKeyId' ? 'keyId' : path
}

function changedFields(form: ServiceForm, base: Service): (keyof ServiceForm)[] {
  const before = readForm(base)
  const { removed, upserted } = accessEdits(before.access, entriesOf(form))
  const ids = idsChange(before.privateEndpoints, form.privateEndpoints, before.privateEndpoints)
  return [
    ...singleFields.filter((field) => form[field] !== before[field]),
    ...(removed.length + upserted.length > 0 ? (['access'] as const) : []),
    ...(ids ? (['privateEndpoints'] as const) : []),
  ]
}

function refusals(failure: ApiFailure, form: ServiceForm, base: Service) {
  const sent = serviceBody(form, base, base)
  return (failure.fields ?? []).map(({ path, message }) => ({ path: formPath(path, sent, form), message }))
}

/** The fields that can show an error: rows of the lists too. */
function errorPaths({ access, privateEndpoints }: ServiceForm): FieldPath<ServiceForm>[] {
  return [
    ...singleFields,
    'access',
    'privateEndpoints',
    ...access.flatMap((_, at) => [`access.${at}.source` as const, `access.${at}.description` as const]),
    ...privateEndpoints.map((_, at) => `privateEndpoints.${at}.value` as const),
  ]
}

export const serviceForm: EditForm<Service, ServiceForm> = {
  titles: fieldLabels,
  read: readForm,
  schema: formSchema,
  body: (form, now, _connection, opened) => serviceBody(form, opened, now),
  changed: changedFields,
  formatValue,
  refusals,
  errorPaths,
  applied: (form, now, base) => Object.keys(serviceBody(form, base, now)).length === 0,
  writable: (form, now, base) => !theirFields(form, base, now).some(({ contested }) => contested),
  conflicts: theirFields,
  merge: mergedForm,
}

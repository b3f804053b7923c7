/** Converts between a pipe, its edit form and the request body of the update. Only changes are sent. */
import { get, set } from 'react-hook-form'
import { z } from 'zod'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { sameValue } from '#console/ui/form/values.ts'
import { pipeUpdateStrict } from '#contract/cloud/pipes/pipeInputs.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { addIssues, columnOf, formPath, mappingOf, pathSegments } from './createBody.ts'
import { readForm, type ColumnRow, type CreatableKind, type PipeForm, type TableRow } from './pipeForm.ts'
import { sourceTypeBody, mappingBody, requiredFields, type Body } from './sourceBody.ts'
import { fieldLabels, type LabeledPath } from '../model/fieldLabels.ts'

const accessKey = (kind: 'objectStorage' | 'kinesis') =>
  [`source.${kind}.accessKey.accessKeyId`, `source.${kind}.accessKey.secretKey`] as const

const columns = 'destination.columns'

/** The fields that the API can update, by source type (docs/DEPLOYMENTS.md#pipes). Settings and scaling have their own pages. */
const editable: Record<CreatableKind, readonly LabeledPath[]> = {
  objectStorage: [
    'name',
    'source.objectStorage.authentication',
    'source.objectStorage.iamRole',
    ...accessKey('objectStorage'),
    columns,
  ],
  kafka: [
    'name',
    'source.kafka.authentication',
    'source.kafka.iamRole',
    'source.kafka.credentials.username',
    'source.kafka.credentials.password',
    'source.kafka.credentials.accessKeyId',
    'source.kafka.credentials.secretKey',
    'source.kafka.credentials.connectionString',
    'source.kafka.credentials.certificate',
    'source.kafka.credentials.privateKey',
    'source.kafka.caCertificate',
    'source.kafka.reversePrivateEndpointIds',
    columns,
  ],
  kinesis: ['name', 'source.kinesis.authentication', 'source.kinesis.iamRole', ...accessKey('kinesis'), columns],
  postgres: [
    'name',
    'source.postgres.host',
    'source.postgres.port',
    'source.postgres.credentials.username',
    'source.postgres.credentials.password',
    'source.postgres.settings.syncIntervalSeconds',
    'source.postgres.settings.pullBatchSize',
    'source.postgres.tableMappings',
  ],
}

/** Secrets are not returned by the API: an empty field keeps the stored value. */
const isSecret = (path: string) => /\.(credentials|accessKey)\./.test(path)

/** The editable fields by path, to compare, show and merge. */
export type EditableValues = Partial<Record<LabeledPath, unknown>>
export const editablePaths = (kind: CreatableKind): readonly LabeledPath[] => editable[kind]

export function editableValues(form: PipeForm): EditableValues {
  return Object.fromEntries(editable[form.kind].map((path) => [path, get(form, path)]))
}

/** The form with other editable values. */
export function withEditableValues(form: PipeForm, view: EditableValues): PipeForm {
  const next = structuredClone(form)
  for (const [path, value] of Object.entries(view)) set(next, path, value)
  return next
}

/** The form with empty secret fields. */
export function withoutNewSecrets(form: PipeForm): PipeForm {
  return withEditableValues(form, Object.fromEntries(editable[form.kind].filter(isSecret).map((path) => [path, ''])))
}

/** Whether a secret was entered. */
export function hasNewSecrets(form: PipeForm): boolean {
  return !sameValue(editableValues(form), editableValues(withoutNewSecrets(form)))
}

/** The fields that were changed. */
export function changedPaths(form: PipeForm, base: Pipe): LabeledPath[] {
  const before = readForm(base, form.kind)
  const requiredPaths = requiredFields(form.kind, form.source)
  return editable[form.kind].filter(
    (path) =>
      !sameValue(get(form, path), get(before, path)) &&
      (!isSecret(path) || requiredPaths.includes(path) || isPassword(path)),
  )
}

/** The only secret that may be empty beside a username. */
const isPassword = (path: string) => path === 'source.postgres.credentials.password'

/** The request body of the update. Unknown fields of columns are kept. */
export function updateBody(form: PipeForm, base: Pipe): Body {
  const { kind } = form
  const changed = changedPaths(form, base)
  const before = readForm(base, kind)
  const source = kind === 'postgres' ? postgresChange(form, before, changed) : credentialsChange(form, changed)
  const [rows, had] = [form.destination.columns, before.destination.columns]
  const differs = (bodyOf: (row: ColumnRow) => Body) => !sameValue(rows.map(bodyOf), had.map(bodyOf))
  const known = new Map(base.destination?.columns?.map((column) => [column.name, column]))
  return {
    ...(changed.includes('name') && { name: form.name.trim() }),
    ...(Object.keys(source).length > 0 && { source: { [kind]: source } }),
    ...(kind !== 'postgres' &&
      differs(columnOf) && {
        destination: { columns: rows.map((row) => ({ ...known.get(row.name), ...columnOf(row) })) },
      }),
    ...(kind !== 'postgres' && differs(mappingOf) && { fieldMappings: rows.map(mappingOf) }),
  }
}

/** The changed parts of the source. Secrets are sent together; an emptied part is sent empty. */
function credentialsChange({ kind, source }: PipeForm, changed: readonly LabeledPath[]): Body {
  const sourceBody = sourceTypeBody(kind, source)
  const parts = changed.flatMap((path) => /^source\.\w+\.(\w+)/.exec(path)?.[1] ?? [])
  const role = kind === 'kafka' && parts.includes('authentication') && source.kafka.authentication === 'IAM_ROLE'
  return {
    ...Object.fromEntries([...new Set(parts)].map((part) => [part, sourceBody[part] ?? get(source[kind], part)])),
    ...(role && { credentials: null }),
  }
}

function postgresChange({ source }: PipeForm, before: PipeForm, changed: readonly LabeledPath[]): Body {
  const { host, port, credentials, settings, tableMappings } = source.postgres
  const has = (path: string) => changed.some((changedPath) => changedPath.startsWith(`source.postgres.${path}`))
  const tables = tableChange(before.source.postgres.tableMappings, tableMappings)
  const tuned = (['syncIntervalSeconds', 'pullBatchSize'] as const).filter((key) => has(`settings.${key}`))
  return {
    ...(has('host') && { host: host.trim() }),
    ...(has('port') && { port }),
    ...(has('credentials') && { credentials: { ...credentials, username: credentials.username.trim() } }),
    ...(tuned.length > 0 && { settings: Object.fromEntries(tuned.map((key) => [key, settings[key]])) }),
    ...(tables.add.length > 0 && { tableMappingsToAdd: tables.add.map(mappingBody) }),
    ...(tables.remove.length > 0 && { tableMappingsToRemove: tables.remove.map(mappingBody) }),
  }
}

function tableChange(before: readonly TableRow[], after: readonly TableRow[]) {
  const notIn = (list: readonly TableRow[]) => (row: TableRow) => !list.some((other) => sameValue(other, row))
  return { add: after.filter(notIn(before)), remove: before.filter(notIn(after)) }
}

/** The changes of the form. Secrets are not shown. */
export function pipeChanges(form: PipeForm, base: Pipe): Change[] {
  const before = editableValues(readForm(base, form.kind))
  const after = editableValues(form)
  return changedPaths(form, base).map((path) => ({
    title: fieldLabels[path],
    before: isSecret(path) ? '(unchanged)' : formatValue(path, before),
    after: isSecret(path) ? '(new value)' : formatValue(path, after),
  }))
}

/** An editable value as text. */
export function formatValue(path: LabeledPath, view: EditableValues): string {
  const value = view[path]
  if (path === 'destination.columns') return formatColumns(z.array(columnRow).catch([]).parse(value))
  if (path === 'source.postgres.tableMappings') return formatTables(z.array(tableRow).catch([]).parse(value))
  if (isSecret(path)) return value === '' ? '(unchanged)' : '(new value)'
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

const columnRow = z.object({ source: z.string(), name: z.string(), type: z.string() })
const tableRow = z.object({ sourceSchemaName: z.string(), sourceTable: z.string(), targetTable: z.string() })

export function formatColumns(rows: readonly ColumnRow[]): string {
  return rows
    .map(({ source, name, type }) => `${name} ${type}${source !== '' && source !== name ? ` from ${source}` : ''}`)
    .join(', ')
}

export function formatTables(
  rows: readonly Pick<TableRow, 'sourceSchemaName' | 'sourceTable' | 'targetTable'>[],
): string {
  return rows.map((row) => `${row.sourceSchemaName}.${row.sourceTable} → ${row.targetTable}`).join(', ')
}

/** The schema of the update. It checks only what is sent, because stored values may predate the rules. */
export function updateSchema(base: Pipe, kind: CreatableKind) {
  const before = readForm(base, kind)
  return z.custom<PipeForm>().superRefine((form, context) => {
    const body = updateBody(form, base)
    const addIssue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: pathSegments(path), message })
    const issues = pipeUpdateStrict.safeParse(body).error?.issues ?? []
    // Unknown keys were read from the deployment.
    const ours = issues.filter(({ code }) => code !== 'unrecognized_keys')
    const requiredPaths = requiredFields(kind, form.source)
    addIssues(form, requiredOnUpdate(form, before, requiredPaths), ours, (path, message) =>
      addIssue(rowPath(path, form, before), message),
    )
  })
}

/** Secrets are required if the authentication changes or one of them was entered. */
function requiredOnUpdate(form: PipeForm, before: PipeForm, requiredPaths: readonly string[]): string[] {
  const secrets = requiredPaths.filter(isSecret)
  const authentication = `source.${form.kind}.authentication`
  const entered = secrets.some((path) => get(form, path) !== '')
  const password = form.kind === 'postgres' && form.source.postgres.credentials.password !== ''
  const secretsRequired = entered || password || get(form, authentication) !== get(before, authentication)
  return requiredPaths.filter((path) => (isSecret(path) ? secretsRequired : path.endsWith('.iamRole')))
}

/** Maps a path of the body to a path of the form: `tableMappingsToAdd.0` is a row of the table mappings. */
export function rowPath(path: string, form: PipeForm, before: PipeForm): string {
  const [, list, at, rest = ''] = /^source\.postgres\.tableMappingsTo(Add|Remove)(?:\.(\d+)(.*))?$/.exec(path) ?? []
  if (list === undefined) return formPath(path)
  const rows = form.source.postgres.tableMappings
  const row = tableChange(before.source.postgres.tableMappings, rows).add[Number(at ?? -1)]
  return row && list === 'Add'
    ? `source.postgres.tableMappings.${rows.indexOf(row)}${rest}`
    : 'source.postgres.tableMappings'
}

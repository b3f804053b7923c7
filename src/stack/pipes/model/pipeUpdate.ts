/** Applies a PATCH to a data pipe: docs/DEPLOYMENTS.md#pipes. */
import type { PipeUpdate } from '#contract/cloud/pipes/pipeInputs.ts'
import { pipeKindNames } from '#contract/cloud/pipeKinds.ts'
import { objectStorageProblems } from '#contract/cloud/pipes/pipeSourceInputs.ts'
import { changeableFields } from '#contract/cloud/pipes/pipeSourceUpdates.ts'
import type { TableMapping } from '#contract/cloud/pipes/pipeSources.ts'
import { InvalidInput, refuse, type Issue } from '../../refusal.ts'
import { familyOf, kindOf, startTransition, type PipeDocument } from './pipeDocument.ts'
import { splitSecrets } from './pipeSecrets.ts'
import { merged } from './newPipe.ts'

/** @throws Refusal or InvalidInput (400) for a change that this pipe or its state does not allow */
export function updatedPipe(pipe: PipeDocument, update: PipeUpdate, at: string): PipeDocument {
  const { name, source, destination, fieldMappings, settings } = update
  const isDatabase = familyOf(pipe) === 'database'
  if (isDatabase && (destination || fieldMappings || settings)) {
    throw refuse(`${pipeKindNames[kindOf(pipe)]} pipes have no columns, field mappings or settings`)
  }
  const next: PipeDocument = {
    ...pipe,
    ...(name != null && { name }),
    ...(destination && { destination: { ...pipe.destination, columns: destination.columns } }),
    ...(fieldMappings && { fieldMappings }),
    ...(settings && { settings: merged(pipe.settings ?? {}, settings) }),
  }
  return source ? withSource(next, source, at) : next
}

type SourceUpdate = NonNullable<PipeUpdate['source']>
type Fields = Record<string, unknown>

function withSource(pipe: PipeDocument, update: SourceUpdate, at: string): PipeDocument {
  const kind = kindOf(pipe)
  if (kind !== 'kafka' && kind !== 'kinesis' && kind !== 'objectStorage' && kind !== 'postgres') return pipe
  const arm = update[kind]
  if (!arm) throw refuse(`source.${kind}: the source type of a pipe cannot be changed`)
  const { tableMappingsToAdd: _add, tableMappingsToRemove: _remove, ...fields }: Fields = arm
  const { source, secrets } = splitSecrets({ [kind]: fields })
  const stored: Fields = pipe.source?.[kind] ?? {}
  const changes = changesOf(kind, stored, source[kind] ?? {})
  const next = {
    ...pipe,
    source: { [kind]: { ...stored, ...changes } },
    internal: { ...pipe.internal, secrets: changedSecrets(pipe, secrets) },
  }
  if (kind === 'objectStorage') refuseProblems(next)
  return kind === 'postgres' && update.postgres ? withTables(next, update.postgres, at) : next
}

/**
 * The fields of a source that change. Fields that cannot change may be sent unchanged.
 * @throws InvalidInput with every field that cannot change and has another value
 */
function changesOf(kind: keyof typeof changeableFields, stored: Fields, sent: Fields): Fields {
  const changeable = new Set(changeableFields[kind])
  const issues: Issue[] = []
  const changed = (before: Fields, after: Fields, prefix: string): Fields =>
    Object.fromEntries(
      Object.entries(after).flatMap(([field, value]): [string, unknown][] => {
        const name = prefix + field
        if (changeable.has(name)) return [[field, value]]
        if (field === 'settings') {
          const settings = asFields(before[field])
          return [[field, { ...settings, ...changed(settings, asFields(value), 'settings.') }]]
        }
        if (!sameValue(before[field], value)) {
          issues.push({ path: `source.${kind}.${name}`, message: 'cannot be changed. Create a new pipe', input: value })
        }
        return []
      }),
    )
  const changes = changed(stored, sent, '')
  if (issues.length > 0) throw new InvalidInput([{ part: 'Body', issues }])
  return changes
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The default values of fields. */
const defaultValues: Fields = { compression: 'auto', replicationMode: 'cdc' }

/** Whether two values are equivalent: a missing, empty or false value is the default. */
function sameValue(before: unknown, after: unknown): boolean {
  return JSON.stringify(canonical(before)) === JSON.stringify(canonical(after))
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(canonical)
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .map(([key, item]) => [key, item === defaultValues[key] ? undefined : canonical(item)] as const)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    return entries.length === 0 ? undefined : Object.fromEntries(entries)
  }
  const isDefault = value == null || value === false || value === '' || Object.values(defaultValues).includes(value)
  return isDefault ? undefined : value
}

/** @throws InvalidInput for other credentials of the schema registry, which cannot change */
function changedSecrets({ internal }: PipeDocument, sent: Fields = {}): Fields {
  const { schemaRegistry: registry, ...changes } = sent
  if (registry !== undefined && !sameValue(internal.secrets?.['schemaRegistry'], registry)) {
    const path = 'source.kafka.schemaRegistry.credentials'
    throw new InvalidInput([
      { part: 'Body', issues: [{ path, message: 'cannot be changed. Create a new pipe', input: registry }] },
    ])
  }
  return { ...internal.secrets, ...changes }
}

/** Checks the object storage rules on the changed pipe, because an update contains only a part. */
function refuseProblems({ source }: PipeDocument): void {
  // The stored source was checked when the pipe was created.
  const problems = objectStorageProblems(source?.objectStorage as Parameters<typeof objectStorageProblems>[0])
  if (problems.length === 0) return
  const issues = problems.map(({ field, message }) => ({
    path: `source.objectStorage.${field}`,
    message,
    input: source?.objectStorage?.[field],
  }))
  throw new InvalidInput([{ part: 'Body', issues }])
}

type PostgresUpdate = NonNullable<SourceUpdate['postgres']>
type SourceTable = Pick<TableMapping, 'sourceSchemaName' | 'sourceTable'>

function withTables(pipe: PipeDocument, update: PostgresUpdate, at: string): PipeDocument {
  const { tableMappingsToAdd = [], tableMappingsToRemove = [] } = update
  if (tableMappingsToAdd.length + tableMappingsToRemove.length === 0) return pipe
  if (pipe.state !== 'Paused') throw refuse('Postgres data pipe must be paused to edit')
  const stored = pipe.source?.postgres ?? {}
  const tableMappings = changedMappings(stored.tableMappings ?? [], tableMappingsToAdd, tableMappingsToRemove)
  // Deployments restart a pipe after such an edit.
  return startTransition({ ...pipe, source: { postgres: { ...stored, tableMappings } } }, 'Modifying', 'Setup', at)
}

function changedMappings(
  mappings: readonly TableMapping[],
  add: readonly TableMapping[],
  remove: readonly SourceTable[],
): TableMapping[] {
  const same = (a: SourceTable, b: SourceTable) =>
    a.sourceSchemaName === b.sourceSchemaName && a.sourceTable === b.sourceTable
  const remaining = mappings.filter((mapping) => !remove.some((other) => same(mapping, other)))
  const next = [...remaining.filter((mapping) => !add.some((other) => same(mapping, other))), ...add]
  if (next.length === 0) throw refuse('source.postgres.tableMappings: a pipe needs at least one table')
  if (new Set(next.map(({ targetTable }) => targetTable)).size < next.length) {
    throw refuse('source.postgres.tableMappings: targetTable must be unique')
  }
  return next
}

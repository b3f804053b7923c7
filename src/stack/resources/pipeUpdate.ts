/** What a PATCH makes of a data pipe: managed reference 5.3. */
import type { PipeUpdate } from '#contract/pipeInputs.ts'
import { pipeKindNames } from '#contract/pipeKinds.ts'
import type { TableMapping } from '#contract/pipeSources.ts'
import { refuse } from '../errors.ts'
import { familyOf, kindOf, moving, type PipeDocument } from '../pipes/pipeDocument.ts'
import { splitSecrets } from '../pipes/secrets.ts'
import { merged } from '../pipes/settings.ts'

/** @throws Refusal 400 for a change that this pipe, or its state, does not take */
export function updatedPipe(pipe: PipeDocument, update: PipeUpdate, at: string): PipeDocument {
  const { name, source, destination, fieldMappings, settings } = update
  const isDatabase = familyOf(pipe) === 'database'
  if (isDatabase && (destination || fieldMappings || settings)) {
    throw refuse(`${pipeKindNames[kindOf(pipe)]} pipes have no columns, field mappings or settings of their own`)
  }
  const next: PipeDocument = {
    ...pipe,
    ...(name !== undefined && { name }),
    ...(destination && { destination: { ...pipe.destination, columns: destination.columns } }),
    ...(fieldMappings && { fieldMappings }),
    ...(settings && { settings: merged(pipe.settings ?? {}, settings) }),
  }
  return source ? withSource(next, source, at) : next
}

function withSource(pipe: PipeDocument, update: NonNullable<PipeUpdate['source']>, at: string): PipeDocument {
  const kind = kindOf(pipe)
  const arm = Object.entries(update).find(([name, value]) => name === kind && value != null)?.[1]
  if (!arm) throw refuse(`source.${kind}: the kind of a pipe's source cannot be changed`)
  const { source, secrets } = splitSecrets({ [kind]: arm })
  const withSecrets = { ...pipe, internal: { ...pipe.internal, secrets: { ...pipe.internal.secrets, ...secrets } } }
  if (kind === 'postgres' && update.postgres) return withPostgres(withSecrets, update.postgres, at)
  const changes = Object.entries(source).find(([name]) => name === kind)?.[1]
  const stored = Object.entries(pipe.source ?? {}).find(([name]) => name === kind)?.[1]
  return { ...withSecrets, source: { [kind]: { ...Object(stored), ...Object(changes) } } }
}

type PostgresUpdate = NonNullable<NonNullable<PipeUpdate['source']>['postgres']>

function withPostgres(pipe: PipeDocument, update: PostgresUpdate, at: string): PipeDocument {
  const { tableMappingsToAdd = [], tableMappingsToRemove = [], settings, credentials: _secret, ...fields } = update
  const stored = pipe.source?.postgres ?? {}
  const changesTables = tableMappingsToAdd.length + tableMappingsToRemove.length > 0
  if (changesTables && pipe.state !== 'Paused') throw refuse('Postgres data pipe must be paused to edit')
  const next = {
    ...pipe,
    source: {
      postgres: {
        ...stored,
        ...fields,
        settings: { ...stored.settings, ...settings },
        tableMappings: changedMappings(stored.tableMappings ?? [], tableMappingsToAdd, tableMappingsToRemove),
      },
    },
  }
  // Deployments start a pipe again after such an edit, to see whether it holds.
  return changesTables ? moving(next, 'Modifying', 'Setup', at) : next
}

function changedMappings(
  mappings: readonly TableMapping[],
  add: readonly TableMapping[],
  remove: readonly TableMapping[],
): TableMapping[] {
  const same = (a: TableMapping, b: TableMapping) =>
    a.sourceSchemaName === b.sourceSchemaName && a.sourceTable === b.sourceTable
  const kept = mappings.filter((one) => !remove.some((other) => same(one, other)))
  const next = [...kept.filter((one) => !add.some((other) => same(one, other))), ...add]
  if (next.length === 0) throw refuse('source.postgres.tableMappings: a pipe needs a table')
  if (new Set(next.map((one) => one.targetTable)).size < next.length) {
    throw refuse('source.postgres.tableMappings: targetTable must be unique')
  }
  return next
}

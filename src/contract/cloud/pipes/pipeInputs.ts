/** The input to create and change data pipes on the stack: docs/DEPLOYMENTS.md#pipes. */
import { z } from 'zod'
import { pipeScalingInput } from './pipeScaling.ts'
import { pipeSettingsStrict } from './pipeSettings.ts'
import { sourceInput } from './pipeSourceInputs.ts'
import { sourceUpdate } from './pipeSourceUpdates.ts'
import { name, names, nullsLeftOut, text, unique, uniqueNames } from './pipeTexts.ts'

const column = z.strictObject({ name, type: text })
const columns = z
  .array(column)
  .min(1)
  .max(10_000)
  .refine((list) => unique(list.map(({ name }) => name)), 'must not contain a column twice')

export const storageEngines = ['MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'Null'] as const

const tableDefinition = z.strictObject({
  engine: z
    .strictObject({ type: z.enum(storageEngines), versionColumnId: name.optional(), columnIds: uniqueNames.optional() })
    .default({ type: 'MergeTree' }),
  sortingKey: uniqueNames.optional(),
  partitionBy: z.string().max(1000).optional(),
  primaryKey: z.string().max(1000).optional(),
  /** An expression: rows are deleted after the time that it gives. */
  ttl: z.string().min(1).max(1000).optional(),
})

const destination = z.strictObject({
  database: name.default('default'),
  table: name.optional(),
  managedTable: z.boolean().optional(),
  tableDefinition: tableDefinition.optional(),
  columns: columns.optional(),
  /** Roles of the pipe's user in the database. Never returned. */
  roles: names.optional(),
})
type Destination = z.infer<typeof destination>

const fieldMappings = z.array(z.strictObject({ sourceField: name, destinationField: name })).max(10_000)

/** Rules between fields of a new pipe. */
export const pipeCreateStrict = z
  .strictObject({
    name,
    source: nullsLeftOut(sourceInput),
    destination: nullsLeftOut(destination),
    /** If empty, fields are inserted into the columns of the same name. */
    fieldMappings: fieldMappings.nullish(),
    scaling: pipeScalingInput.nullish(),
    settings: pipeSettingsStrict.nullish(),
    /** Whether the pipe is created in the state Stopped. */
    startPaused: z.boolean().nullish(),
  })
  .superRefine((pipe, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message })
    if (pipe.source.postgres) {
      for (const field of ['table', 'managedTable', 'tableDefinition', 'columns'] as const) {
        if (pipe.destination[field] !== undefined)
          refuse(`destination.${field}`, 'database pipes do not have this field')
      }
      if (pipe.fieldMappings?.length) refuse('fieldMappings', 'database pipes have no field mappings')
      if (pipe.startPaused) refuse('startPaused', 'database pipes start at once')
      return
    }
    const { objectStorage } = pipe.source
    for (const field of ['table', 'managedTable', 'columns'] as const) {
      // Columns of files that are left out are found at the first run.
      if (pipe.destination[field] === undefined && !(field === 'columns' && objectStorage))
        refuse(`destination.${field}`, 'Required')
    }
    tableRules(pipe.destination, refuse)
    if (!pipe.fieldMappings) return
    const mapped = new Set(pipe.fieldMappings.map((mapping) => mapping.destinationField))
    for (const { name } of pipe.destination.columns ?? []) {
      if (!mapped.has(name)) refuse('fieldMappings', `column ${name} must appear in fieldMappings`)
    }
  })
export type PipeCreate = z.output<typeof pipeCreateStrict>

function tableRules(destination: Destination, refuse: (path: string, message: string) => void): void {
  const { managedTable, tableDefinition, columns } = destination
  if (!managedTable) return
  if (!tableDefinition) return refuse('destination.tableDefinition', 'a managed table needs a tableDefinition')
  const { engine, sortingKey = [] } = tableDefinition
  const path = 'destination.tableDefinition'
  if (engine.type === 'ReplacingMergeTree') {
    if (!engine.versionColumnId) refuse(`${path}.engine.versionColumnId`, 'ReplacingMergeTree needs versionColumnId')
    if (sortingKey.length === 0) refuse(`${path}.sortingKey`, 'ReplacingMergeTree needs a sortingKey')
  }
  if (engine.columnIds?.length && engine.type !== 'SummingMergeTree') {
    refuse(`${path}.engine.columnIds`, 'columnIds are for SummingMergeTree only')
  }
  if (!columns) return
  const known = new Set(columns.map(({ name }) => name))
  const named = { sortingKey, 'engine.columnIds': engine.columnIds, 'engine.versionColumnId': engine.versionColumnId }
  for (const [field, value] of Object.entries(named)) {
    for (const item of [value ?? []].flat()) {
      if (!known.has(item)) refuse(`${path}.${field}`, `column ${item} does not exist`)
    }
  }
}

/** The fields of a pipe that can change. For its source, see `sourceUpdate`. */
export const pipeUpdateStrict = z.strictObject({
  name: name.nullish(),
  source: nullsLeftOut(sourceUpdate).nullish(),
  destination: z.strictObject({ columns }).nullish(),
  fieldMappings: fieldMappings.nullish(),
  settings: pipeSettingsStrict.nullish(),
})
export type PipeUpdate = z.output<typeof pipeUpdateStrict>

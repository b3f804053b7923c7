/** Checks that sources may read the tables that they name, and finds those that do not exist yet. */
import type { z } from 'zod'
import type { sourceInputStrict } from '#contract/stack/sourceRules.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { StackContext } from './context.ts'
import { InvalidInput, type Issue } from '../refusal.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import {
  checkTableForm,
  documentedName,
  findTable,
  readableDatabases,
  SourceTableError,
  tablesNamed,
  type ReadableDatabases,
} from '../telemetry/readableTables.ts'
import type { TableName } from '../telemetry/engine/tableName.ts'
import { tables as telemetryTables } from '../telemetry/tables.ts'
import { serviceRows } from '../documents/serviceRows.ts'

type TableCheckContext = Pick<StackContext, 'store' | 'engine' | 'sourceDatabases'>
type SourceInput = z.output<typeof sourceInputStrict>

/** The databases that sources may read. */
export async function databasesFor({ store, engine, sourceDatabases }: TableCheckContext): Promise<ReadableDatabases> {
  const services = (await serviceRows.all(store)).map(({ id }) => databaseOf(id, 'default'))
  return readableDatabases({ engine, services, named: sourceDatabases })
}

/** A table may be made later. @throws InvalidInput with every invalid field */
export async function checkSourceTables(source: SourceInput, context: TableCheckContext): Promise<void> {
  const databases = await databasesFor(context)
  const found = await Promise.all(namesIn(source).map((name) => issueOf(name, databases, context.engine)))
  // Metric tables repeat the database of the source. Its error is reported once.
  const issues = new Map(found.flatMap((issue) => (issue ? [[issue.path, issue]] : [])))
  if (issues.size > 0) throw new InvalidInput([{ part: 'Body', issues: [...issues.values()] }])
}

/** Milliseconds. The list of sources does not wait longer for an engine that is busy. */
const lookupDeadline = 1000

/**
 * The tables that sources name and that do not exist yet, by the ID of the source. Empty while the engine is away or busy: the
 * list of sources is served all the same.
 */
export async function missingTables(
  sources: readonly Source[],
  context: TableCheckContext,
): Promise<Map<string, string[]>> {
  const { engine } = context
  const named = sources.map((source) => ({ id: source.id, tables: furtherTablesOf(source, engine) }))
  const names = new Set(named.flatMap(({ tables }) => tables.map(({ table }) => table)))
  if (!engine || names.size === 0) return new Map()
  try {
    const [databases, found] = await Promise.all([
      databasesFor(context),
      tablesNamed(engine, [...names], AbortSignal.timeout(lookupDeadline)),
    ])
    const existing = new Set(found.map(({ database, table }) => `${database}.${table}`))
    return new Map(
      named.flatMap(({ id, tables }) => {
        const missing = tables.filter((table) => {
          const name = fullName(table, databases)
          return name !== undefined && !existing.has(name)
        })
        return missing.length > 0 ? [[id, missing.map(({ table }) => table)]] : []
      }),
    )
  } catch {
    return new Map()
  }
}

/** The name of a table in the engine; undefined in a database that sources may not read, which their reads say. */
function fullName({ database, table }: TableName, databases: ReadableDatabases): string | undefined {
  try {
    return `${databases.resolve(database)}.${table}`
  } catch (error) {
    if (error instanceof SourceTableError) return undefined
    throw error
  }
}

/** The tables of a source without those that the stack makes when it starts. */
function furtherTablesOf({ from, metricTables = {} }: Source, engine: TableCheckContext['engine']): TableName[] {
  const database = from?.databaseName ?? ''
  const isTelemetry = database === documentedName(engine) || database === engine?.database
  return [from?.tableName, ...Object.values(metricTables)].flatMap((table) =>
    table === undefined || table === '' || (isTelemetry && ownTables.has(table)) ? [] : [{ database, table }],
  )
}

const ownTables: ReadonlySet<string> = new Set(Object.values(telemetryTables))

interface Name {
  database: Field
  table: Field
}

interface Field {
  path: string
  value: string
}

/** Every table that a source names. Empty fields are ignored. */
function namesIn(source: SourceInput): Name[] {
  const database = { path: 'from.databaseName', value: source.from.databaseName }
  const tables = [{ path: 'from.tableName', value: source.from.tableName }, ...furtherTables(source)]
  const views = 'materializedViews' in source ? (source.materializedViews ?? []) : []
  return [
    ...tables.flatMap(({ path, value }) => (value ? [{ database, table: { path, value } }] : [])),
    ...views.map((view, at) => ({
      database: { path: `materializedViews.${at}.databaseName`, value: view.databaseName },
      table: { path: `materializedViews.${at}.tableName`, value: view.tableName },
    })),
  ]
}

/** Further tables in the same database. */
function furtherTables(source: SourceInput): { path: string; value: string | null | undefined }[] {
  switch (source.kind) {
    case 'metric':
      return [
        ...Object.entries(source.metricTables).map(([type, value]) => ({ path: `metricTables.${type}`, value })),
        { path: 'seriesTable', value: source.seriesTable },
      ]
    case 'log':
    case 'trace': {
      const views = source.metadataMaterializedViews
      return [
        { path: 'metadataMaterializedViews.keyRollupTable', value: views?.keyRollupTable },
        { path: 'metadataMaterializedViews.kvRollupTable', value: views?.kvRollupTable },
      ]
    }
    default:
      return []
  }
}

async function issueOf(
  name: Name,
  databases: ReadableDatabases,
  engine: StackContext['engine'],
): Promise<Issue | undefined> {
  try {
    const table = { database: databases.resolve(name.database.value), table: name.table.value }
    checkTableForm(name.table.value)
    if (engine) await findTable(engine, table)
    return undefined
  } catch (error) {
    if (!(error instanceof SourceTableError)) throw error
    if (error.isMissing) return undefined
    const { path, value } = name[error.part]
    return { path, message: error.message, input: value }
  }
}

/** Checks that sources may read the tables that they name. */
import type { z } from 'zod'
import type { sourceInputStrict } from '#contract/sourceRules.ts'
import type { StackContext } from './context.ts'
import { InvalidInput, type Issue } from '../refusal.ts'
import { databaseOf } from '../pipes/loads/destinationTable.ts'
import {
  checkTableForm,
  findTable,
  readableDatabases,
  SourceTableError,
  type ReadableDatabases,
} from '../telemetry/readableTables.ts'
import { serviceRows } from '../documents/serviceRows.ts'

type Parts = Pick<StackContext, 'store' | 'engine' | 'sourceDatabases'>
type SourceInput = z.output<typeof sourceInputStrict>

/** The databases that sources may read. */
export async function databasesFor({ store, engine, sourceDatabases }: Parts): Promise<ReadableDatabases> {
  const services = (await serviceRows.all(store)).map(({ id }) => databaseOf(id, 'default'))
  return readableDatabases({ engine, services, named: sourceDatabases })
}

/** @throws InvalidInput with every invalid field. Without an engine, only the form of names is checked */
export async function checkSourceTables(source: SourceInput, context: Parts): Promise<void> {
  const databases = await databasesFor(context)
  const found = await Promise.all(namesIn(source).map((name) => issueOf(name, databases, context.engine)))
  // Metric tables repeat the database of the source. Its error is reported once.
  const issues = new Map(found.flatMap((issue) => (issue ? [[issue.path, issue]] : [])))
  if (issues.size > 0) throw new InvalidInput([{ part: 'Body', issues: [...issues.values()] }])
}

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
    if (engine) await findTable(engine, table)
    else checkTableForm(name.table.value)
    return undefined
  } catch (error) {
    if (!(error instanceof SourceTableError)) throw error
    const { path, value } = name[error.part]
    return { path, message: error.message, input: value }
  }
}

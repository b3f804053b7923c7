/** SQL that people write: docs/TELEMETRY.md#sql. */
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import { maxSqlRows, type sql, type SqlTileRead } from '#contract/stack/sql.ts'
import { ExecutionError } from '#domain/alerting/executionError.ts'
import { sourceTable, tileStatement } from '#domain/alerting/sqlTemplate.ts'
import { mayCall } from '../../access/caller.ts'
import { dashboardRows } from '../../documents/dashboardRows.ts'
import { serviceRows } from '../../documents/serviceRows.ts'
import { notFound, Refusal } from '../../refusal.ts'
import { tableSql } from '../../telemetry/engine/tableName.ts'
import { readableDatabases, SourceTableError, type ReadableDatabases } from '../../telemetry/readableTables.ts'
import { runStatement, StatementError } from '../../telemetry/sql/runStatement.ts'
import { listTables } from '../../telemetry/sql/tableList.ts'
import type { StackContext } from '../context.ts'
import { sourceRows } from '../sources.ts'
import { EngineAborted, EngineBusy, EngineError } from '../../telemetry/engine/engineError.ts'

export const sqlHandlers: Handlers<typeof sql, StackContext> = {
  async tables(_, context) {
    const engine = engineOf(context)
    const databases = await databasesOf(context)
    return listTables(engine, databases, context.signal).catch((error: unknown) => {
      throw runRefusalOf(error)
    })
  },

  async run({ body }, context) {
    const engine = engineOf(context)
    const databases = await databasesOf(context)
    return runStatement(engine, body, databases, context.signal).catch((error: unknown) => {
      throw runRefusalOf(error)
    })
  },

  async tile({ body }, context) {
    const engine = engineOf(context)
    const databases = await databasesOf(context)
    try {
      const statement = await statementOf(body, context, databases)
      return await runStatement(engine, { statement, maxRows: maxSqlRows }, databases, context.signal)
    } catch (error) {
      const isOfTile = error instanceof ExecutionError || error instanceof SourceTableError
      throw isOfTile ? new Refusal(400, error.message) : runRefusalOf(error)
    }
  },
}

/** The statement of a tile as it is saved. */
async function statementOf(read: SqlTileRead, { store }: StackContext, databases: ReadableDatabases): Promise<string> {
  const dashboard = await dashboardRows.get(store, read.dashboardId)
  if (!dashboard) throw notFound('Dashboard')
  const tile = dashboard.tiles.find(({ id }) => id === read.tileId)
  if (!tile) throw notFound('Tile')
  const sourceId = tile.config?.configType === 'sql' ? tile.config.sourceId : undefined
  const source = sourceId === undefined ? undefined : await sourceRows.get(store, sourceId)
  return tileStatement(tile, read, (metricType) => {
    const named = sourceTable(source, metricType)
    return tableSql({ ...named, database: databases.resolve(named.database) })
  })
}

function engineOf({ engine }: StackContext) {
  if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
  return engine
}

/** The databases that sources may read. A key of the managed variant reads the services on which it may use SQL. */
async function databasesOf({ store, engine, sourceDatabases, caller }: StackContext): Promise<ReadableDatabases> {
  const services = (await serviceRows.all(store)).map(({ id }) => id)
  const allowed = services.filter((id) => !caller || mayCall(caller, 'sql-console:database:access', id))
  return readableDatabases({
    engine,
    services: allowed.map((id) => databaseOf(id, 'default')),
    named: sourceDatabases,
  })
}

/** The refusals of statements that cannot be run. */
export function runRefusalOf(error: unknown): unknown {
  if (error instanceof StatementError) return new Refusal(400, error.message)
  if (error instanceof EngineAborted) return new Refusal(503, 'The query was cancelled')
  if (error instanceof EngineBusy) return new Refusal(503, error.message, error.retryAfter)
  if (error instanceof EngineError) return new Refusal(503, error.message)
  return error
}

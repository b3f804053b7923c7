/** SQL that people write: docs/TELEMETRY.md#sql. */
import { databaseOf } from '#contract/serviceDatabases.ts'
import type { Handlers } from '#contract/kernel.ts'
import type { sql } from '#contract/sql.ts'
import { mayCall } from '../../access/caller.ts'
import { serviceRows } from '../../documents/serviceRows.ts'
import { Refusal } from '../../refusal.ts'
import { EngineAborted, EngineBusy, EngineError } from '../../telemetry/engine/engineError.ts'
import { readableDatabases, type ReadableDatabases } from '../../telemetry/readableTables.ts'
import { runStatement, StatementError } from '../../telemetry/sql/runStatement.ts'
import { listTables } from '../../telemetry/sql/tableList.ts'
import type { StackContext } from '../context.ts'

export const sqlHandlers: Handlers<typeof sql, StackContext> = {
  async tables(_, context) {
    const engine = engineOf(context)
    const databases = await databasesOf(context)
    return listTables(engine, databases, context.signal).catch((error: unknown) => {
      throw refusalOf(error)
    })
  },

  async run({ body }, context) {
    const engine = engineOf(context)
    const databases = await databasesOf(context)
    return runStatement(engine, body, databases, context.signal).catch((error: unknown) => {
      throw refusalOf(error)
    })
  },
}

function engineOf({ engine }: StackContext) {
  if (!engine) throw new Refusal(503, 'This stack has no telemetry engine')
  return engine
}

/** Those that sources may read. A key of the managed variant reads the services on which it may use SQL. */
async function databasesOf({ store, engine, sourceDatabases, caller }: StackContext): Promise<ReadableDatabases> {
  const services = (await serviceRows.all(store)).map(({ id }) => id)
  const allowed = services.filter((id) => !caller || mayCall(caller, 'sql-console:database:access', id))
  return readableDatabases({
    engine,
    services: allowed.map((id) => databaseOf(id, 'default')),
    named: sourceDatabases,
  })
}

function refusalOf(error: unknown): unknown {
  if (error instanceof StatementError) return new Refusal(400, error.message)
  if (error instanceof EngineAborted) return new Refusal(503, 'The query was cancelled')
  if (error instanceof EngineBusy) return new Refusal(503, error.message, error.retryAfter)
  if (error instanceof EngineError) return new Refusal(503, error.message)
  return error
}

/** SQL that people write: docs/TELEMETRY.md#sql. */
import { databaseOf } from '#contract/serviceDatabases.ts'
import type { Handlers } from '#contract/kernel.ts'
import type { sql } from '#contract/sql.ts'
import { mayCall } from '../../access/caller.ts'
import { serviceRows } from '../../documents/serviceRows.ts'
import { Refusal } from '../../refusal.ts'
import { readableDatabases, type ReadableDatabases } from '../../telemetry/readableTables.ts'
import { runStatement } from '../../telemetry/sql/runStatement.ts'
import { listTables } from '../../telemetry/sql/tableList.ts'
import type { StackContext } from '../context.ts'
import { runRefusalOf } from './runRefusal.ts'

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

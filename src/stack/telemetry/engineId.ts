/** The property that distinguishes one telemetry engine from another, however it is reached. */
import { systemTable } from './engine/dialect.ts'
import type { Engine } from './engine/engine.ts'
import { tables } from './tables.ts'

/**
 * The UUID of the table of logs, which the engine made when it created it. Replicas have the same one, or the least of theirs is
 * taken, whichever answers. Without an engine: `none`.
 */
export async function engineId(engine: Pick<Engine, 'dialect' | 'database' | 'query'> | null): Promise<string> {
  if (!engine) return 'none'
  const [table] = await engine.query<{ uuid: string }>(
    `SELECT toString(uuid) AS uuid FROM ${systemTable(engine.dialect, 'tables')}
     WHERE database = {database:String} AND name = {name:String} ORDER BY uuid LIMIT 1`,
    { params: { database: engine.database, name: tables.logs } },
  )
  return table?.uuid ?? 'none'
}

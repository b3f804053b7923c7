/** What distinguishes one telemetry engine from another, however it is reached. */
import type { Engine } from './engine/engine.ts'
import { tables } from './tables.ts'

/** The UUID of the table of logs, which the engine made when it created it. Without an engine: `none`. */
export async function engineId(engine: Pick<Engine, 'query'> | null): Promise<string> {
  if (!engine) return 'none'
  const [table] = await engine.query<{ uuid: string }>(
    'SELECT uuid FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
    { params: { name: tables.logs } },
  )
  return table?.uuid ?? 'none'
}

/** The columns of a destination that get values of the source. */
import type { DestinationTable } from '../loads/destinationTable.ts'
import { identifier } from '../loads/sqlNames.ts'
import { alterColumns } from '../../telemetry/engine/tableChanges.ts'
import type { PostgresRun } from './postgresRun.ts'
import { definitionFor, type SourceTable } from './source/postgresTables.ts'
import { hasRoom } from './typeRoom.ts'

/** The columns of a destination that people see, with their types. */
export async function columnsOf({ parts }: PostgresRun, target: DestinationTable): Promise<[string, string][]> {
  const columns = await parts.engine.query<{ name: string; type: string }>(
    `SELECT name, type FROM system.columns
     WHERE database = {database:String} AND table = {table:String} AND default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL')
     ORDER BY position`,
    { params: { ...target } },
  )
  return columns.map(({ name, type }) => [name, type])
}

export function alter({ parts }: PostgresRun, target: DestinationTable, change: string): Promise<void> {
  return alterColumns(parts.engine, target, change)
}

export function addColumn(run: PostgresRun, target: DestinationTable, name: string, type: string): Promise<void> {
  return alter(run, target, `ADD COLUMN IF NOT EXISTS ${identifier(name)} ${type}`)
}

/** Gives a destination all columns of the source, with room for their values. @throws EngineError for a column of its key */
export async function widenColumns(run: PostgresRun, table: SourceTable, target: DestinationTable): Promise<void> {
  const columns = new Map(await columnsOf(run, target))
  for (const { name, type } of definitionFor(run.pipe, table).columns) {
    const known = columns.get(name)
    if (known === undefined) await addColumn(run, target, name, type)
    else if (!hasRoom(known, type)) await alter(run, target, `MODIFY COLUMN ${identifier(name)} ${type}`)
  }
}

/** The columns of a pipe's table as they are loaded. */
import type { Engine } from '../../telemetry/engine/engine.ts'
import { destinationTableOf, engineTypes } from '../loads/destinationTable.ts'
import { definitionOf, type Column } from '../loads/tableDefinition.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { columnType, nullableType } from './columnType.ts'

/**
 * The columns that a pipe loads, as it reads them. A column with a DEFAULT is read as one that may be null: the table puts its
 * DEFAULT in the place of a null, and of a field that is missing. Call this once the table exists.
 */
export async function loadedColumns(pipe: PipeDocument, engine: Pick<Engine, 'query'>): Promise<Column[]> {
  const columns = await engineTypes(definitionOf(pipe).columns, engine)
  const rows = await engine.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = {database:String} AND table = {table:String} AND default_kind = 'DEFAULT'`,
    { params: { ...destinationTableOf(pipe) } },
  )
  const withDefault = new Set(rows.map(({ name }) => name))
  return columns.map(({ name, type }) => ({
    name,
    type: (withDefault.has(name) && nullableType(columnType(type))) || type,
  }))
}

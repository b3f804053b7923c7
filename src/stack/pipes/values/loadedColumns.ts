/** The columns of a pipe's table as they are loaded. */
import type { Engine } from '../../telemetry/engine/engine.ts'
import { EngineError, EngineShortage } from '../../telemetry/engine/engineError.ts'
import { destinationTableOf, engineTypes } from '../loads/destinationTable.ts'
import { definitionOf, type Column } from '../loads/tableDefinition.ts'
import { literal } from '../loads/sqlNames.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { columnType, hasNull, nullableType } from './columnType.ts'

/**
 * The columns that a pipe loads, as it reads them. A column with a DEFAULT is read as one that may be null: the table puts its
 * DEFAULT in the place of a null, and of a field that is missing. Arrays and the like cannot be null: their DEFAULT is part of how
 * they are read, unless it depends on other columns. Call this once the table exists.
 */
export async function loadedColumns(pipe: PipeDocument, engine: Pick<Engine, 'query'>): Promise<Column[]> {
  const columns = await engineTypes(definitionOf(pipe).columns, engine)
  const rows = await engine.query<{ name: string; expression: string }>(
    `SELECT name, default_expression AS expression FROM system.columns
     WHERE database = {database:String} AND table = {table:String} AND default_kind = 'DEFAULT'`,
    { params: { ...destinationTableOf(pipe) } },
  )
  const defaults = new Map(rows.map(({ name, expression }) => [name, expression]))
  return Promise.all(
    columns.map(async ({ name, type }) => {
      const expression = defaults.get(name)
      if (expression === undefined) return { name, type }
      const nullable = nullableType(columnType(type))
      if (nullable !== null) return { name, type: nullable }
      const isRead = !hasNull(columnType(type)) && (await needsNoColumn(expression, type, engine))
      return { name, type, ...(isRead && { missing: expression }) }
    }),
  )
}

/** Whether a DEFAULT can be computed without the other columns of its row. */
async function needsNoColumn(expression: string, type: string, engine: Pick<Engine, 'query'>): Promise<boolean> {
  const value = `CAST((${expression}), ${literal(type)})`
  return engine.query(`SELECT isNull(${value}) AS value`).then(
    () => true,
    (error: unknown) => {
      if (error instanceof EngineError && error.code > 0 && !(error instanceof EngineShortage)) return false
      throw error
    },
  )
}

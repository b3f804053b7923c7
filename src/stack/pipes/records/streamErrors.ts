/** The rows of one stream in the table of bad records. */
import type { DestinationTable } from '../loads/destinationTable.ts'
import type { LoadEngine } from '../loads/loads.ts'
import { mutateRows } from '../../telemetry/engine/storedRows.ts'
import { qualified } from '../loads/sqlNames.ts'

export interface ErrorsOf {
  engine: LoadEngine
  pipeId: string
  /** The topic or stream that the pipe reads. */
  topic: string
  errorTable: DestinationTable
}

export type Params = Record<string, string | number | readonly (string | number)[]>

/** Places of a stream, as a condition on rows of the table of bad records. */
export interface Places {
  condition: string
  params: Params
}

/** The condition on the rows of a stream. Its parameters are `pipeId` and `topic`. */
export const streamCondition = 'pipe_id = {pipeId:String} AND topic = {topic:String}'

/** @returns false as long as there is no table, since no record was bad */
export async function hasErrors({ engine, errorTable }: Pick<ErrorsOf, 'engine' | 'errorTable'>): Promise<boolean> {
  const [known] = await engine.query(
    'SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { ...errorTable } },
  )
  return known !== undefined
}

/**
 * Changes rows of a stream, and waits for it. Does nothing, at the cost of a query, if none is to be changed.
 * @param change what follows the name of the table, up to the condition: `DELETE`, or `UPDATE` with its columns
 */
export async function changeRows(
  { engine, pipeId, topic, errorTable }: ErrorsOf,
  change: string,
  { condition, params }: Places,
): Promise<void> {
  const name = qualified(errorTable.database, errorTable.table)
  const where = `${streamCondition} AND ${condition}`
  const all = { ...params, pipeId, topic }
  const [stored] = await engine.query(`SELECT 1 FROM ${name} WHERE ${where} LIMIT 1`, { params: all })
  if (stored) await mutateRows(engine, errorTable, change, where, all)
}

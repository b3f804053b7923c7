/** The columns of a pipe that has none: those of its files, or of the table that it loads into. */
import type { Engine } from '../../telemetry/engine/engine.ts'
import { destinationTableOf } from '../loads/destinationTable.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { Location } from './fileLocation.ts'
import { compressionName } from './objectStorageStatement.ts'
import { sourceSettings } from './sourceFiles.ts'

/** A column in the response to DESCRIBE. */
type DescribedColumn = { name: string; type: string }

/** The files as a table, whose columns the engine finds. */
export function readFiles(pipe: PipeDocument, location: Location): { sql: string; params: Record<string, string> } {
  const { format, compression } = pipe.source?.objectStorage ?? {}
  return {
    sql: `${location.call}, {format:String}, 'auto', {compression:String})`,
    params: {
      ...location.params,
      format: format ?? 'JSONEachRow',
      compression: compressionName(compression ?? 'auto'),
    },
  }
}

/**
 * @returns the columns of the files; of a table that exists, those that the files have too
 * @throws EngineError if no file can be read
 */
export async function columnsOfFiles(
  pipe: PipeDocument,
  location: Location,
  engine: Pick<Engine, 'query'>,
  signal: AbortSignal,
): Promise<DescribedColumn[]> {
  const { sql, params } = readFiles(pipe, location)
  const settings = `${sourceSettings}, schema_inference_make_columns_nullable = 'auto'`
  const found = await engine.query<DescribedColumn>(`DESCRIBE ${sql} SETTINGS ${settings}`, { params, signal })
  const columns = found.map(({ name, type }) => ({ name, type }))
  if (pipe.destination?.managedTable !== false) return columns
  const own = await engine.query<DescribedColumn>(
    'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position',
    { params: { ...destinationTableOf(pipe) }, signal },
  )
  const names = new Set(columns.map(({ name }) => name))
  return own.filter(({ name }) => names.has(name))
}

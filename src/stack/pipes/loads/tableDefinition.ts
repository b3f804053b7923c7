/** The definition of a table that a pipe creates: its columns, engine and keys. */
import type { PipeDocument } from '../model/pipeDocument.ts'

export interface Column {
  name: string
  type: string
  /** The DEFAULT that a reader puts in the place of a missing field, in SQL. Absent: the table does. */
  missing?: string
}

export interface TableDefinition {
  engine: string
  columns: readonly Column[]
  versionColumn?: string
  summedColumns?: readonly string[]
  sortingKey: readonly string[]
  /** Whether rows have versions and can be deleted. */
  isVersioned?: boolean
  partitionBy?: string
  primaryKey?: string
  ttl?: string
}

/** The table definition of a pipe. */
export function definitionOf(pipe: PipeDocument): TableDefinition {
  const { columns = [], tableDefinition } = pipe.destination ?? {}
  const { engine, sortingKey, partitionBy, primaryKey, ttl } = tableDefinition ?? {}
  return {
    engine: engine?.type ?? 'MergeTree',
    columns: (columns ?? []).map(({ name, type = 'String' }) => ({ name, type })),
    sortingKey: sortingKey ?? [],
    ...(engine?.versionColumnId && { versionColumn: engine.versionColumnId }),
    ...(engine?.columnIds && { summedColumns: engine.columnIds }),
    ...(partitionBy && { partitionBy }),
    ...(primaryKey && { primaryKey }),
    ...(ttl && { ttl }),
  }
}

/** The definition of a table that a pipe creates: its columns, engine and keys. */
import type { PipeDocument } from '../model/pipeDocument.ts'

export interface Column {
  name: string
  type: string
}

export interface TableDefinition {
  engine: string
  columns: readonly Column[]
  versionColumn?: string
  summedColumns?: readonly string[]
  sortingKey: readonly string[]
  /** Rows take the place of earlier versions of themselves, and may be gone. */
  isVersioned?: boolean
  partitionBy?: string
  primaryKey?: string
}

/** What a pipe says of the table that is made for it. */
export function definitionOf(pipe: PipeDocument): TableDefinition {
  const { columns = [], tableDefinition } = pipe.destination ?? {}
  const { engine, sortingKey, partitionBy, primaryKey } = tableDefinition ?? {}
  return {
    engine: engine?.type ?? 'MergeTree',
    columns: (columns ?? []).map(({ name, type = 'String' }) => ({ name, type })),
    sortingKey: sortingKey ?? [],
    ...(engine?.versionColumnId && { versionColumn: engine.versionColumnId }),
    ...(engine?.columnIds && { summedColumns: engine.columnIds }),
    ...(partitionBy && { partitionBy }),
    ...(primaryKey && { primaryKey }),
  }
}

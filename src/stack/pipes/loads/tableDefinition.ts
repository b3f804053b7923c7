/**
 * The definition of a table that a pipe creates: its columns, engine and keys, and the checks of column types and of
 * keys, which are expressions over the columns of one row.
 */
import type { PipeDocument } from '../model/pipeDocument.ts'
import { refuse } from '../../refusal.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import { checkOverColumns } from '../../telemetry/expression/expression.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'

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

type QueryEngine = Pick<Engine, 'identity' | 'database' | 'query'>

/**
 * Checks keys, which become part of the table's definition as text.
 * @param columns with types as the engine spells them
 * @throws Refusal 400 for a key that is not a deterministic expression over the columns
 */
export async function checkKeys(
  { partitionBy, primaryKey, ttl }: Pick<TableDefinition, 'partitionBy' | 'primaryKey' | 'ttl'>,
  columns: readonly Column[],
  engine: QueryEngine,
): Promise<void> {
  for (const [field, expression] of Object.entries({ partitionBy, primaryKey, ttl })) {
    if (expression) await checkKey(`destination.tableDefinition.${field}`, expression, columns, engine)
  }
}

/**
 * @param name the field, for the error
 * @throws Refusal 400, like `checkKeys`
 */
async function checkKey(
  name: string,
  expression: string,
  columns: readonly Column[],
  engine: QueryEngine,
): Promise<void> {
  try {
    await checkOverColumns(engine, expression, columns, { deterministic: true })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw refuse(`${name}: ${error.message}`)
  }
}

/** @throws Refusal 400 for a text with more than a type, such as a default or a comment */
export async function checkTypes(columns: readonly Column[], engine: QueryEngine): Promise<void> {
  for (const type of new Set(columns.map((column) => column.type))) {
    if (await isType(type, engine)) continue
    throw refuse(
      `destination.columns: ${type.slice(0, 100)} is not a column type. Use a type such as String or DateTime64(3)`,
    )
  }
}

const quotedText = /'(?:[^'\\]|\\.|'')*'/gs
/** The characters of types. Comments and semicolons are not allowed. */
const typeCharacters = /^(?:[\w\s(),.='"`+]|-(?!-))*$/

async function isType(type: string, engine: QueryEngine): Promise<boolean> {
  if (!typeCharacters.test(type.replaceAll(quotedText, "''")) || type.includes('\0')) return false
  try {
    // The only function that accepts a type and nothing else.
    await engine.query('SELECT toTypeName(defaultValueOfTypeName({type:String})) AS type', { params: { type } })
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code > 0) return false
    throw error
  }
}

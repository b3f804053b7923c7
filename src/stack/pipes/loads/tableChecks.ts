/** What a pipe may say of the table that is made for it: types that are only types, and keys over the columns of one row. */
import { refuse } from '../../refusal.ts'
import type { Engine } from '../../telemetry/engine.ts'
import { EngineError } from '../../telemetry/engineError.ts'
import { checkOverColumns } from '../../telemetry/expression/expression.ts'
import { ExpressionError } from '../../telemetry/expression/lexical.ts'
import type { Column, TableDefinition } from './tableDefinition.ts'

type Asking = Pick<Engine, 'query'>

/**
 * Keys go into the table's definition as text.
 * @param columns with types in the engine's own spelling
 * @throws Refusal 400 for a key that is no expression over the columns, or not the same for the same row at any time
 */
export async function checkKeys(
  { partitionBy, primaryKey }: Pick<TableDefinition, 'partitionBy' | 'primaryKey'>,
  columns: readonly Column[],
  engine: Asking,
): Promise<void> {
  for (const [field, expression] of Object.entries({ partitionBy, primaryKey })) {
    if (expression) await checkKey(`destination.tableDefinition.${field}`, expression, columns, engine)
  }
}

/**
 * @param name of the field, for the refusal
 * @throws Refusal 400, as `checkKeys`
 */
export async function checkKey(
  name: string,
  expression: string,
  columns: readonly Column[],
  engine: Asking,
): Promise<void> {
  try {
    await checkOverColumns(engine, expression, columns, { deterministic: true })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw refuse(`${name}: ${error.message}`)
  }
}

/** @throws Refusal 400 for a text that says more than a type, such as a default or a comment */
export async function checkTypes(columns: readonly Column[], engine: Asking): Promise<void> {
  for (const type of new Set(columns.map((column) => column.type))) {
    if (await isType(type, engine)) continue
    throw refuse(
      `destination.columns: ${type.slice(0, 100)} is not a column type: give a type alone, such as String or DateTime64(3)`,
    )
  }
}

const quotedText = /'(?:[^'\\]|\\.|'')*'/gs
/** What types are made of. Comments and ends of statements are not. */
const typeCharacters = /^(?:[\w\s(),.='"`+]|-(?!-))*$/

async function isType(type: string, engine: Asking): Promise<boolean> {
  if (!typeCharacters.test(type.replaceAll(quotedText, "''")) || type.includes('\0')) return false
  try {
    // The one function that reads a type and nothing behind it.
    await engine.query('SELECT toTypeName(defaultValueOfTypeName({type:String})) AS type', { params: { type } })
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code > 0) return false
    throw error
  }
}

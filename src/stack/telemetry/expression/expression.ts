/**
 * SQL expressions that people write (`whereLanguage: 'sql'`, computed fields). The engine parses them, and what it
 * parsed is checked before anything is run: one expression over the row, no other table, no function that reads more.
 */
import type { Engine } from '../engine.ts'
import { EngineError } from '../engineError.ts'
import { tableSql, type TableName } from '../tableName.ts'
import { allowedFunctions } from './functions.ts'
import { checkLexically, ExpressionError } from './lexical.ts'
import { checkSyntaxTree, readSyntaxTree } from './syntaxTree.ts'

export interface CheckedExpression {
  /** In parentheses, ready to be used in SQL. */
  sql: string
  /** The engine's name of its type. */
  type: string
}

const keep = 500
const checked = new WeakMap<Engine, Map<string, Promise<CheckedExpression>>>()

/** Throws ExpressionError. `aggregates` says whether the expression may aggregate rows. */
export function checkExpression(engine: Engine, text: string, table: TableName): Promise<CheckedExpression> {
  const expressions = checked.get(engine) ?? new Map<string, Promise<CheckedExpression>>()
  checked.set(engine, expressions)
  const key = `${tableSql(table)} ${text}`
  const found = expressions.get(key)
  if (found) return found
  const checking = check(engine, text, table)
  expressions.set(key, checking)
  checking.catch(() => expressions.delete(key))
  const oldest = expressions.keys().next()
  if (expressions.size > keep && !oldest.done) expressions.delete(oldest.value)
  return checking
}

const explain = 'SELECT explain FROM (EXPLAIN AST SELECT '

async function check(engine: Engine, text: string, table: TableName): Promise<CheckedExpression> {
  checkLexically(text)
  const sql = `(${text})`
  try {
    const rows = await engine.query<{ explain: string }>(`${explain}${sql} FROM system.one)`)
    checkSyntaxTree(readSyntaxTree(rows.map((row) => row.explain)), await allowedFunctions(engine))
    const [column] = await engine.query<{ type: string }>(`DESCRIBE (SELECT ${sql} FROM ${tableSql(table)})`)
    return { sql, type: column?.type ?? '' }
  } catch (error) {
    if (error instanceof EngineError && error.code > 0) throw new ExpressionError(explained(error, text))
    throw error
  }
}

const syntaxError = 62

/** The engine counts from the start of our statement, the reader from the start of the expression. */
function explained(error: EngineError, text: string): string {
  if (error.code !== syntaxError) return error.message
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? 0) - explain.length - 1
  return position > 0 && position <= text.length
    ? `it cannot be read as SQL from character ${position}, "${text.slice(position - 1, position + 20)}"`
    : 'it ends too early'
}

/**
 * SQL expressions that people write (`whereLanguage: 'sql'`, computed fields). The engine parses them, and what it
 * parsed is checked before anything runs: one expression over the row, no other table, no function that reads more.
 */
import type { Engine } from '../engine/engine.ts'
import { EngineError, engineReason } from '../engine/engineError.ts'
import { engineMemory, type EngineIdentity } from '../engine/engineMemory.ts'
import type { Params } from '../engine/params.ts'
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import { functionRules } from './functions.ts'
import { checkLexically, ExpressionError } from '#domain/query/sqlLexical.ts'
import { checkSizes } from './sizes.ts'
import { checkSyntaxTree, readSyntaxTree, withLambdas, type ExpressionUse } from './syntaxTree.ts'

export interface CheckedExpression {
  /** In parentheses, ready to be used in SQL. */
  sql: string
  /** The engine's name of its type. */
  type: string
  /** The engine's name of the column, where no other is given. */
  name: string
}

type Asking = Pick<Engine, 'query'> & EngineIdentity

const expressions = engineMemory<CheckedExpression>({ keepMs: 60_000, most: 500 })

/** Checks an expression over the rows of a table, at most once a minute. Throws ExpressionError. */
export function checkExpression(
  engine: Asking,
  text: string,
  table: TableName,
  use: ExpressionUse = {},
): Promise<CheckedExpression> {
  const sql = tableSql(table)
  return expressions(engine, `${sql} ${JSON.stringify(use)} ${text}`, () =>
    check(engine, text, { sql, params: {} }, use),
  )
}

/** Checks an expression over the rows of a table that does not exist yet. Throws ExpressionError. */
export function checkOverColumns(
  engine: Asking,
  text: string,
  columns: readonly { name: string; type: string }[],
  use: ExpressionUse = {},
): Promise<CheckedExpression> {
  const structure = columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ')
  return check(engine, text, { sql: `format('JSONEachRow', {structure:String}, '{}')`, params: { structure } }, use)
}

/** The part of the statement after FROM. */
interface Rows {
  sql: string
  params: Params
}

const explain = 'SELECT explain FROM (EXPLAIN AST SELECT '

async function check(engine: Asking, text: string, from: Rows, use: ExpressionUse): Promise<CheckedExpression> {
  checkLexically(text)
  const sql = `(${text})`
  try {
    const rows = await engine.query<{ explain: string }>(`${explain}${sql} FROM system.one)`)
    const rules = await functionRules(engine)
    const tree = withLambdas(readSyntaxTree(rows.map((row) => row.explain)), rules)
    checkSyntaxTree(tree, rules, use)
    checkSizes(tree)
    const [column] = await engine.query<{ name: string; type: string }>(`DESCRIBE (SELECT ${sql} FROM ${from.sql})`, {
      params: from.params,
    })
    return { sql, type: column?.type ?? '', name: column?.name ?? text }
  } catch (error) {
    if (error instanceof EngineError && error.code > 0)
      throw new ExpressionError(reasonInExpression(error, text), error.type)
    throw error
  }
}

const syntaxError = 62

/** Converts the engine's position in the statement to a position in the expression. */
function reasonInExpression(error: EngineError, text: string): string {
  if (error.code !== syntaxError) return engineReason(error, text)
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? 0) - explain.length - 1
  return position > 0 && position <= text.length
    ? `it cannot be read as SQL from character ${position}, "${text.slice(position - 1, position + 20)}"`
    : 'it ends too early'
}

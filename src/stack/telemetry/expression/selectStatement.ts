/**
 * Complete SELECT statements that people write (Raw SQL tiles, the SQL page). The engine parses them, and what it parsed is checked
 * before anything runs: one SELECT over tables that sources may read, with functions on values, and without settings.
 */
import { sqlTokens } from '#domain/query/sqlTokens.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError, engineReason } from '../engine/engineError.ts'
import { documentedName, findTable, SourceTableError, type ReadableDatabases } from '../readableTables.ts'
import { quoted } from '../engine/tableName.ts'
import { functionRules, type FunctionRules } from './functions.ts'
import { checkLexically, ExpressionError } from '#domain/query/sqlLexical.ts'
import { checkSizes } from './sizes.ts'
import { readSyntaxTree, withLambdas, type SyntaxNode } from './syntaxTree.ts'

export interface CheckedSelect {
  /** In parentheses, ready to be used after FROM. */
  sql: string
  columns: { name: string; type: string }[]
}

/**
 * Checks a statement, and asks for its columns, which computes its scalar subqueries.
 * @throws ExpressionError for a statement that reaches beyond readable tables, or that the engine cannot read
 */
export async function checkSelect(engine: Engine, text: string, databases: ReadableDatabases): Promise<CheckedSelect> {
  const sql = await checkStatement(engine, text, databases)
  try {
    return { sql, columns: await engine.query<{ name: string; type: string }>(`DESCRIBE ${sql}`) }
  } catch (error) {
    throw toExpressionError(error, text)
  }
}

/**
 * Checks a statement without running any part of it.
 * @returns its SQL in parentheses
 * @throws ExpressionError as `checkSelect`
 */
export async function checkStatement(engine: Engine, text: string, databases: ReadableDatabases): Promise<string> {
  checkLexically(text, { select: true })
  const first = /^[\s(]*(\w*)/.exec(text)?.[1] ?? ''
  if (!/^(select|with|from)$/i.test(first)) {
    throw new ExpressionError(`only SELECT is allowed, and this begins with "${first.slice(0, 20)}"`)
  }
  const sql = withOwnDatabase(text, documentedName(engine), databases)
  try {
    const rules = await functionRules(engine)
    const root = withLambdas(await syntaxTreeOf(engine, sql), rules)
    const tables = new Set<string>()
    for (const child of root.children) check(child, rules, tables)
    checkSizes(root)
    const named = namesOfSubqueries(text)
    for (const table of tables) {
      await (named.has(table) ? checkNamed(engine, table, databases) : checkTable(engine, table, databases))
    }
    return `(${sql})`
  } catch (error) {
    throw toExpressionError(error, text)
  }
}

const explain = 'SELECT explain FROM (EXPLAIN AST ('
const syntaxError = 62

async function syntaxTreeOf(engine: Engine, sql: string): Promise<SyntaxNode> {
  const rows = await engine.query<{ explain: string }>(`${explain}${sql}))`)
  return readSyntaxTree(rows.map((row) => row.explain))
}

function toExpressionError(error: unknown, text: string): unknown {
  if (error instanceof SourceTableError) return new ExpressionError(error.message)
  if (!(error instanceof EngineError) || error.code <= 0) return error
  if (error.message.includes('cannot have output options')) {
    return new ExpressionError('FORMAT and INTO OUTFILE are not allowed in SQL')
  }
  return error.code === syntaxError ? unreadable(error, text) : new ExpressionError(engineReason(error, text))
}

/** The engine counts bytes from the start of its own statement, in which a database may have another name. */
function unreadable({ message }: EngineError, text: string): ExpressionError {
  const [, position = '0', found = ''] = /position (\d+) \((.*?)\)/s.exec(message) ?? []
  const bytes = Number(position) - explain.length - 1
  const guess = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString().length
  const at = found === '' ? guess : text.lastIndexOf(found, guess)
  return at >= 0 && at < text.trimEnd().length
    ? new ExpressionError(
        `it cannot be read as SQL from "${text.slice(at, at + 20).trim()}" at ${at + 1}`,
        'SYNTAX_ERROR',
      )
    : new ExpressionError(`it ends too early at ${text.trimEnd().length + 1}`, 'SYNTAX_ERROR')
}

/** Parts of a SELECT whose content is checked. Everything else is refused, such as settings. */
const parts = [
  'SelectWithUnionQuery',
  'SelectQuery',
  'ExpressionList',
  'WithElement',
  'Subquery',
  'TablesInSelectQuery',
  'TablesInSelectQueryElement',
  'TableExpression',
  'TableJoin',
  'ArrayJoin',
  'OrderByElement',
  'Identifier',
  'Literal',
  'Asterisk',
  'QualifiedAsterisk',
]

function check(node: SyntaxNode, rules: FunctionRules, tables: Set<string>): void {
  const { kind, name, children } = node
  if (kind === 'TableIdentifier') {
    tables.add(name)
    return
  }
  if (kind === 'Function') {
    if (!rules.mayCall(name) && !rules.changesRows(name)) {
      throw new ExpressionError(`the function ${name} is not allowed in SQL`)
    }
    checkMembership(node)
  } else if (!parts.includes(kind)) {
    throw new ExpressionError(`${kind === 'Set' ? 'SETTINGS' : kind} is not allowed in SQL`)
  }
  const tableFunction = kind === 'TableExpression' && children.find((child) => child.kind === 'Function')
  if (tableFunction) {
    throw new ExpressionError(`the table function ${tableFunction.name} is not allowed: read a table of a source`)
  }
  for (const child of children) check(child, rules, tables)
}

const membership = /^(global)?(not)?(null)?in(ignoreset)?$/i

/** A bare name on the right of IN is a table to the engine. */
function checkMembership({ name, children }: SyntaxNode): void {
  if (!membership.test(name)) return
  const right = children[0]?.children[1]
  const isList = right?.kind === 'Literal' || right?.kind === 'Subquery' || right?.kind === 'Function'
  if (!isList) throw new ExpressionError("IN needs a list such as ('a', 'b') or a subquery on its right")
}

/** Tables of the engine's database about itself that say nothing about what is stored, nor about who uses it. */
const readableSystemTables: readonly string[] = [
  // Stands for a SELECT without FROM.
  'system.one',
  'system.numbers',
  'system.functions',
  'system.time_zones',
]

/** `database.table`, or a table of the telemetry database. */
async function checkTable(engine: Engine, identifier: string, databases: ReadableDatabases): Promise<void> {
  const dot = identifier.indexOf('.')
  if (readableSystemTables.includes(identifier)) return
  if (dot < 0 && databases.needsDatabase) {
    throw new ExpressionError(`name the database of the table ${identifier}, as in service_….${identifier}`)
  }
  const database = dot < 0 ? engine.database : databases.resolve(identifier.slice(0, dot))
  await findTable(engine, { database, table: identifier.slice(dot + 1) })
}

/** A name of a subquery means the table of that name wherever the subquery is not in scope. */
async function checkNamed(engine: Engine, table: string, { needsDatabase }: ReadableDatabases): Promise<void> {
  try {
    await findTable(engine, { database: engine.database, table })
  } catch (error) {
    if (error instanceof SourceTableError && error.isMissing) return
    throw error
  }
  if (needsDatabase) throw new ExpressionError(`a table is called ${table} too: name the subquery otherwise`)
}

/** The names of `WITH name AS (SELECT …)`. */
function namesOfSubqueries(text: string): Set<string> {
  return new Set([...text.matchAll(/\b([A-Za-z_]\w*)\s+AS\s*\(\s*(?:SELECT|WITH)\b/gi)].map(([, name = '']) => name))
}

/** Documents call the telemetry database by another name than the engine. Texts in quotes stay. */
function withOwnDatabase(text: string, documented: string, databases: ReadableDatabases): string {
  if (databases.needsDatabase) return text
  const own = databases.resolve(documented)
  if (own === documented) return text
  const tokens = sqlTokens(text)
  const signs = tokens.filter(({ kind }) => kind !== 'space')
  const spellings = [documented, `\`${documented}\``, `"${documented}"`]
  const named = new Set(
    signs.filter(
      (token, at) => spellings.includes(token.text) && signs[at + 1]?.text === '.' && signs[at - 1]?.text !== '.',
    ),
  )
  return tokens.map((token) => (named.has(token) ? quoted(own) : token.text)).join('')
}

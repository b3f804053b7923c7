/**
 * Complete SELECT statements that people write (Raw SQL tiles). The engine parses them, and what it parsed is checked before
 * anything runs: one SELECT over tables that sources may read, with functions on values, and without settings.
 */
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/engineError.ts'
import { engineReason } from '../engine/engineReason.ts'
import { documentedName, findTable, SourceTableError, type ReadableDatabases } from '../readableTables.ts'
import { quoted } from '../engine/tableName.ts'
import { functionRules, type FunctionRules } from './functions.ts'
import { checkLexically, ExpressionError } from './lexical.ts'
import { readSyntaxTree, type SyntaxNode } from './syntaxTree.ts'

export interface CheckedSelect {
  /** In parentheses, ready to be used after FROM. */
  sql: string
  columns: { name: string; type: string }[]
}

/** @throws ExpressionError for a statement that reaches beyond readable tables, or that the engine cannot read */
export async function checkSelect(engine: Engine, text: string, databases: ReadableDatabases): Promise<CheckedSelect> {
  checkLexically(text, { select: true })
  const sql = `(${withOwnDatabase(text, documentedName(engine), databases)})`
  try {
    const rows = await engine.query<{ explain: string }>(`SELECT explain FROM (EXPLAIN AST ${sql})`)
    const root = readSyntaxTree(rows.map((row) => row.explain))
    const rules = await functionRules(engine)
    const tables = new Set<string>()
    for (const child of root.children) check(child, rules, tables)
    const named = namesOfSubqueries(text)
    for (const table of tables) if (!named.has(table)) await checkTable(engine, table, databases)
    return { sql, columns: await engine.query<{ name: string; type: string }>(`DESCRIBE ${sql}`) }
  } catch (error) {
    if (error instanceof EngineError && error.code > 0) throw new ExpressionError(engineReason(error, text))
    if (error instanceof SourceTableError) throw new ExpressionError(error.message)
    throw error
  }
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
      throw new ExpressionError(`the function ${name} is not allowed in Raw SQL`)
    }
    checkMembership(node)
  } else if (!parts.includes(kind)) {
    throw new ExpressionError(`${kind === 'Set' ? 'SETTINGS' : kind} is not allowed in Raw SQL`)
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

/** `database.table`, or a table of the telemetry database. */
async function checkTable(engine: Engine, identifier: string, databases: ReadableDatabases): Promise<void> {
  const dot = identifier.indexOf('.')
  // The engine's own one-row table stands for a SELECT without FROM.
  if (identifier === 'system.one') return
  const database = dot < 0 ? engine.database : databases.resolve(identifier.slice(0, dot))
  await findTable(engine, { database, table: identifier.slice(dot + 1) })
}

/** The names of `WITH name AS (SELECT …)`. */
function namesOfSubqueries(text: string): Set<string> {
  return new Set([...text.matchAll(/\b([A-Za-z_]\w*)\s+AS\s*\(\s*(?:SELECT|WITH)\b/gi)].map(([, name = '']) => name))
}

/** Documents call the telemetry database by another name than the engine. Texts in single quotes stay. */
function withOwnDatabase(text: string, documented: string, databases: ReadableDatabases): string {
  const own = databases.resolve(documented)
  if (own === documented) return text
  const name = documented.replaceAll(/[^\w]/g, String.raw`\$&`)
  const pattern = new RegExp(String.raw`('(?:[^'\\]|\\.|'')*')|(?<![\w.])(?:${name}|\`${name}\`|"${name}")\s*\.`, 'gs')
  return text.replaceAll(pattern, (found, literal: string | undefined) =>
    literal === undefined ? `${quoted(own)}.` : found,
  )
}

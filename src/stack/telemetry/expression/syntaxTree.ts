/** The engine's parse tree of an expression: `EXPLAIN AST`, parsed and checked against the allowed functions. */
import type { FunctionRules } from './functions.ts'
import { allowed, ExpressionError } from '#domain/query/sqlLexical.ts'

export interface SyntaxNode {
  kind: string
  /** Function or identifier. */
  name: string
  /** The name after AS; undefined without one. */
  alias: string | undefined
  children: SyntaxNode[]
}

const line = /^( *)(\S+)(?: (.*?))??(?: \(alias (.*?)\))?(?: \(children \d+\))?$/s

/** The rows of `EXPLAIN AST`, indented by a space for each level. */
export function readSyntaxTree(rows: readonly string[]): SyntaxNode {
  const root: SyntaxNode = { kind: 'root', name: '', alias: undefined, children: [] }
  const path = [root]
  for (const row of rows) {
    const [, indent = '', kind = '', name = '', alias] = line.exec(row) ?? []
    const node: SyntaxNode = { kind, name, alias, children: [] }
    path.length = Math.min(indent.length + 1, path.length)
    path.at(-1)?.children.push(node)
    path.push(node)
  }
  return root
}

/**
 * A tree with a lambda in place of each name of a function, as the engine reads it: `arrayMap(lower, list)` is
 * `arrayMap(x -> lower(x), list)`. A column or lambda of that name would come first, which the tree does not tell.
 */
export function withLambdas(node: SyntaxNode, rules: FunctionRules): SyntaxNode {
  const children = node.children.map((child) => withLambdas(child, rules))
  const [list, ...parameters] = children
  const [first, ...others] = list?.children ?? []
  const isNamed = node.kind === 'Function' && first?.kind === 'Identifier' && others.length > 0
  if (!list || !isNamed || !rules.takesFunction(node.name) || !rules.exists(first.name)) return { ...node, children }
  const call: SyntaxNode = { kind: 'Function', name: first.name, alias: undefined, children: [] }
  const lambda: SyntaxNode = { ...first, kind: 'Function', name: 'lambda', children: [call] }
  return { ...node, children: [{ ...list, children: [lambda, ...others] }, ...parameters] }
}

/** The purpose of an expression. */
export interface ExpressionUse {
  /** Whether it can aggregate rows. */
  aggregates?: boolean
  /** Whether it can be `arrayJoin(mapKeys(column))` as a whole: the attributes of a row, which are few. */
  attributeNames?: boolean
  /** It must be the same for the same row at any time, as keys of tables are. */
  deterministic?: boolean
}

/**
 * Checks the tree of `SELECT (…) FROM system.one`. Throws ExpressionError for whatever reaches beyond the row:
 * subqueries, other tables, functions not allowed.
 */
export function checkSyntaxTree(root: SyntaxNode, rules: FunctionRules, use: ExpressionUse): void {
  const select = descend(root, ['SelectWithUnionQuery', 'ExpressionList', 'SelectQuery'])
  const [list, tables, ...more] = select?.children ?? []
  const from = tables && descend(tables, ['TablesInSelectQueryElement', 'TableExpression', 'TableIdentifier'])
  // The SELECT is the one that we wrote: its list of one expression, its table, nothing else.
  if (list?.children.length !== 1 || from?.name !== 'system.one' || more.length > 0) throw new ExpressionError(allowed)
  const [expression] = list.children
  if (!expression || (use.attributeNames && isAttributeNames(expression))) return
  check(expression, rules, use)
}

function isAttributeNames(node: SyntaxNode): boolean {
  const keys = calledAlone(node, 'arrayJoin')
  const column = keys && calledAlone(keys, 'mapKeys')
  return column?.kind === 'Identifier' && column.alias === undefined
}

/** The one argument of a call of the function; undefined for anything else. */
function calledAlone({ kind, name, alias, children }: SyntaxNode, wanted: string): SyntaxNode | undefined {
  const [list, ...parameters] = children
  const [only, ...others] = list?.children ?? []
  const isCall =
    kind === 'Function' && name === wanted && alias === undefined && parameters.length === 0 && others.length === 0
  return isCall ? only : undefined
}

/** Follows the kinds down the tree, as long as each is an only child. */
export function descend(node: SyntaxNode, kinds: string[]): SyntaxNode | undefined {
  const [kind, ...deeper] = kinds
  if (kind === undefined) return node
  const [only, ...others] = node.children
  return only?.kind === kind && others.length === 0 ? descend(only, deeper) : undefined
}

function check(node: SyntaxNode, rules: FunctionRules, use: ExpressionUse): void {
  if (node.alias !== undefined) throw new ExpressionError('aliases are not allowed: leave out "AS …"')
  switch (node.kind) {
    case 'Function':
      checkFunction(node.name, rules, use)
      if (membership.test(node.name)) checkMembership(node)
      break
    case 'ExpressionList':
    case 'Identifier':
    case 'Literal':
      break
    default:
      throw new ExpressionError(`${node.kind} is not allowed: ${allowed}`)
  }
  for (const child of withoutCountedRows(node)) check(child, rules, use)
}

/** The children of a node, without the `*` of `count(*)` and `countIf(*, …)`; anywhere else it means all columns. */
function withoutCountedRows({ kind, name, children }: SyntaxNode): SyntaxNode[] {
  const [list, ...parameters] = children
  const [first, ...others] = list?.children ?? []
  const isCountOfRows = kind === 'Function' && /^count(if)?$/i.test(name) && first?.kind === 'Asterisk'
  if (!list || !isCountOfRows || first.children.length > 0) return children
  return [{ ...list, children: others }, ...parameters]
}

function checkFunction(name: string, rules: FunctionRules, use: ExpressionUse): void {
  if (rules.changesRows(name)) {
    throw new ExpressionError(
      `${name} makes several rows of one: reduce the array to one value, as in length(…), arraySum(…) or has(…)`,
    )
  }
  if (!rules.mayCall(name)) throw new ExpressionError(`the function ${name} is not allowed: ${allowed}`)
  if (!use.aggregates && rules.isAggregate(name)) {
    throw new ExpressionError(`${name} aggregates rows, but a value of one row is expected: ${allowed}`)
  }
  if (use.deterministic && !rules.isDeterministic(name)) {
    throw new ExpressionError(`${name} is not deterministic: a key must always be the same for the same row`)
  }
}

const membership = /^(global)?(not)?(null)?in(ignoreset)?$/i

/** A bare name on the right of IN is a table to the engine. */
function checkMembership(node: SyntaxNode): void {
  const right = node.children[0]?.children[1]
  // The engine shows an array of constants as a cast of it.
  const isList = right?.kind === 'Literal' || (right?.kind === 'Function' && /^(tuple|array|_CAST)$/.test(right.name))
  if (!isList) throw new ExpressionError("IN needs a list such as ('a', 'b') on its right")
}

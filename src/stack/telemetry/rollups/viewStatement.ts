/** The SELECT of a materialized view, read from the engine's parse tree: what each column of its result is. */
import { descend, type SyntaxNode } from '../expression/syntaxTree.ts'
import type { TableName } from '../engine/tableName.ts'

/** A column of the result. */
type ViewColumn =
  /** A column of the rows as it is. */
  | { kind: 'column' }
  /** A time of the rows, rounded down. */
  | { kind: 'step'; of: string; seconds: number }
  /** An aggregate; `wide`: of the value as an integer of 128 bits or more. */
  | { kind: 'aggregate'; aggFn: string; of: string | undefined; wide: boolean }
  | { kind: 'other' }

export interface ViewStatement {
  /** As the statement has it: `database.table`. */
  from: string
  columns: ReadonlyMap<string, ViewColumn>
}

/** Words of what the tree does not show, or of what leaves out or adds rows. */
export const refused = /\b(DISTINCT|FINAL|SAMPLE|TOTALS|ROLLUP|CUBE|SETS|QUALIFY|LIMIT|OVER|WINDOW)\b/i

/** A statement that groups all rows of one table, and nothing else; null for any other. */
export function readViewStatement(text: string, root: SyntaxNode, table: TableName): ViewStatement | null {
  if (refused.test(text)) return null
  const select = descend(root, ['SelectWithUnionQuery', 'ExpressionList', 'SelectQuery'])
  const [list, tables, groups, ...more] = select?.children ?? []
  if (list?.kind !== 'ExpressionList' || groups?.kind !== 'ExpressionList' || more.length > 0) return null
  const from = tables && descend(tables, ['TablesInSelectQueryElement', 'TableExpression', 'TableIdentifier'])
  if (!from) return null
  const named = list.children.map((node) => columnOf(node, table))
  // A name that means a column of the rows may not be that of another expression.
  const read = new Set(
    named.flatMap(([name, column]) =>
      column.kind === 'aggregate' ? (column.of ?? []) : column.kind === 'column' ? name : [],
    ),
  )
  const isHidden = list.children.some(
    ({ kind, alias }) => alias !== undefined && read.has(alias) && kind !== 'Identifier',
  )
  return isHidden ? null : { from: from.name, columns: new Map(named) }
}

function columnOf(node: SyntaxNode, table: TableName): [name: string, column: ViewColumn] {
  const { kind, name, alias } = node
  if (kind === 'Identifier') {
    const own = columnName(name, table)
    return [alias ?? own, alias === undefined || alias === own ? { kind: 'column' } : { kind: 'other' }]
  }
  return [alias ?? name, stepOf(node, table) ?? aggregateOf(node, table) ?? { kind: 'other' }]
}

/** The name of a column, without that of its table. */
export const columnName = (name: string, { database, table }: TableName): string => {
  const prefix = [`${database}.${table}.`, `${table}.`].find((candidate) => name.startsWith(candidate)) ?? ''
  return name.slice(prefix.length)
}

export const argumentsOf = ({ kind, children }: SyntaxNode): readonly SyntaxNode[] | undefined =>
  kind === 'Function' && children.length === 1 ? children[0]?.children : undefined

const namedSteps: Record<string, number> = {
  toStartOfSecond: 1,
  toStartOfMinute: 60,
  toStartOfFiveMinute: 300,
  toStartOfFiveMinutes: 300,
  toStartOfTenMinutes: 600,
  toStartOfFifteenMinutes: 900,
  toStartOfHour: 3600,
  toStartOfDay: 86_400,
}
const unitSteps: Record<string, number> = {
  toIntervalSecond: 1,
  toIntervalMinute: 60,
  toIntervalHour: 3600,
  toIntervalDay: 86_400,
}

/** The rounded time that an expression is; undefined for any other. */
export function stepOf(node: SyntaxNode, table: TableName): ViewColumn | undefined {
  const [value, interval, ...more] = argumentsOf(node) ?? []
  const of = value && columnIn(value, ['toDateTime'], table)?.name
  if (of === undefined || more.length > 0) return undefined
  const named = namedSteps[node.name]
  if (named !== undefined) return interval ? undefined : { kind: 'step', of, seconds: named }
  if (node.name !== 'toStartOfInterval' || !interval) return undefined
  const [count, ...others] = argumentsOf(interval) ?? []
  const amount = /^UInt64_(\d{1,9})$/.exec(count?.kind === 'Literal' ? count.name : '')?.[1]
  const unit = unitSteps[interval.name]
  return amount && unit && others.length === 0 ? { kind: 'step', of, seconds: Number(amount) * unit } : undefined
}

const wideTypes = ['toInt128', 'toUInt128', 'toInt256', 'toUInt256']

function aggregateOf(node: SyntaxNode, table: TableName): ViewColumn | undefined {
  const values = argumentsOf(node)
  const aggFn = /^(count|sum|min|max)(SimpleState)?$/.exec(node.name)?.[1]
  if (aggFn === undefined || !values) return undefined
  const [value, ...others] = values
  if (!value) return aggFn === 'count' ? { kind: 'aggregate', aggFn, of: undefined, wide: false } : undefined
  const column = columnIn(value, wideTypes, table)
  return column && others.length === 0 && aggFn !== 'count'
    ? { kind: 'aggregate', aggFn, of: column.name, wide: column.isConverted }
    : undefined
}

/** A column, or a call of one of some functions with it. */
function columnIn(
  node: SyntaxNode,
  functions: readonly string[],
  table: TableName,
): { name: string; isConverted: boolean } | undefined {
  if (node.alias !== undefined) return undefined
  if (node.kind === 'Identifier') return { name: columnName(node.name, table), isConverted: false }
  const [value, ...others] = functions.includes(node.name) ? (argumentsOf(node) ?? []) : []
  if (value?.kind !== 'Identifier' || value.alias !== undefined || others.length > 0) return undefined
  return { name: columnName(value.name, table), isConverted: true }
}

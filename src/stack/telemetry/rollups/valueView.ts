/** The SELECT of a materialized view that counts the values of attributes and columns, as other collectors make it. */
import { descend, type SyntaxNode } from '../expression/syntaxTree.ts'
import type { TableName } from '../engine/tableName.ts'
import { keyColumns, labelOf, valueColumn, type RolledValues } from './rollup.ts'
import { argumentsOf, columnName, refused, stepOf } from './viewStatement.ts'

export interface ValueView {
  values: RolledValues
  /** The column whose time is rounded down, and by how many seconds. */
  step: { of: string; seconds: number }
}

const { map: mapColumn, key: keyColumn } = keyColumns

/**
 * A statement of one CTE, which lists the values of all rows of a table, each kind in one part of a UNION ALL, and their counts by
 * all of its columns. Null for any other.
 * @param time the column with the start of the step
 */
export function readValueView(
  text: string,
  root: SyntaxNode,
  { table, time }: { table: TableName; time: string },
): ValueView | null {
  // The tree does not tell which kind of ARRAY JOIN it is.
  if (refused.test(text) || /\bLEFT\b/i.test(text)) return null
  const select = descend(root, ['SelectWithUnionQuery', 'ExpressionList', 'SelectQuery'])
  const [withs, list, tables, groups, ...more] = select?.children ?? []
  if (!withs || !list || !tables || !groups || more.length > 0) return null
  const elements = descend(withs, ['WithElement', 'Subquery', 'SelectWithUnionQuery', 'ExpressionList'])
  const from = descend(tables, ['TablesInSelectQueryElement', 'TableExpression', 'TableIdentifier'])
  const names = [time, mapColumn, keyColumn, valueColumn]
  // A name without a database is that of the CTE.
  if (!elements || !from || from.name.includes('.') || !isCount(list, groups, names)) return null
  return joined(elements.children.map((node) => partOf(node, { table, time })))
}

/** Whether rows are counted by these columns. */
function isCount(list: SyntaxNode, groups: SyntaxNode, names: readonly string[]): boolean {
  const columns = list.children.filter(({ kind }) => kind === 'Identifier')
  const [count, ...others] = list.children.filter(({ kind }) => kind !== 'Identifier')
  const isCalled = count?.name === 'count' && count.alias === 'count' && argumentsOf(count)?.length === 0
  const isAll = (nodes: readonly SyntaxNode[]) =>
    nodes.length === names.length && names.every((name) => nodes.some((node) => node.name === name && !node.alias))
  return isCalled && others.length === 0 && isAll(columns) && isAll(groups.children)
}

interface Part extends Omit<ValueView, 'values'> {
  /** The order of its columns, which those of all parts share. */
  order: string
  map?: string
  column?: string
  changesBrackets?: boolean
}

function joined(parts: readonly (Part | null)[]): ValueView | null {
  const [first] = parts
  const found = parts.filter((part) => part !== null)
  const isSame = ({ order, step }: Part) =>
    order === first?.order && step.of === first.step.of && step.seconds === first.step.seconds
  if (!first || found.length < parts.length || !found.every(isSame)) return null
  const maps = found.flatMap(({ map }) => map ?? [])
  const columns = found.flatMap(({ column }) => column ?? [])
  // One that is listed twice is counted twice.
  if (new Set(maps).size < maps.length || new Set(columns).size < columns.length) return null
  const changesBrackets = found.some((part) => part.changesBrackets)
  return { step: first.step, values: { maps, columns, changesBrackets } }
}

/** The values of one map or column. */
function partOf(node: SyntaxNode, { table, time }: { table: TableName; time: string }): Part | null {
  const select = node.kind === 'SelectQuery' ? node : descend(node, ['ExpressionList', 'SelectQuery'])
  const [list, tables, ...more] = select?.children ?? []
  const [rows, joins, ...others] = tables?.children ?? []
  const from = rows && descend(rows, ['TableExpression', 'TableIdentifier'])
  if (!list || from?.name !== `${table.database}.${table.table}` || more.length + others.length > 0) return null
  const named = new Map(list.children.map((child) => [child.alias, child]))
  const [start, name, label, value] = [time, mapColumn, keyColumn, valueColumn].map((column) => named.get(column))
  const step = start && stepOf(start, table)
  if (step?.kind !== 'step' || !name || !label || !value || list.children.length !== 4) return null
  const order = list.children.map(({ alias }) => alias).join()
  const shape = { order, step: { of: step.of, seconds: step.seconds } }
  return joins ? ofMap(joins, { shape, name, label, value, table }) : ofColumn({ shape, name, label, value, table })
}

interface PartNodes {
  shape: Pick<Part, 'order' | 'step'>
  name: SyntaxNode
  label: SyntaxNode
  value: SyntaxNode
  table: TableName
}

function ofMap(joins: SyntaxNode, { shape, name, label, value, table }: PartNodes): Part | null {
  const entry = descend(joins, ['ArrayJoin', 'ExpressionList', 'Identifier'])
  if (!entry?.alias) return null
  const map = columnName(entry.name, table)
  const [key, pattern, replacement] =
    label.name === 'replaceRegexpAll' ? (argumentsOf(label) ?? []) : [label, undefined, undefined]
  const isChanged = pattern !== undefined
  if (isChanged && !(textOf(replacement) === '[*]' && pattern.name === String.raw`'\\[\\d+\\]'`)) return null
  const isEntry = isElement(key, entry.alias, 1) && isElement(plain(value), entry.alias, 2)
  return isEntry && textOf(name) === map && isFree(map) ? { ...shape, map, changesBrackets: isChanged } : null
}

function ofColumn({ shape, name, label, value, table }: PartNodes): Part | null {
  const read = plain(value)
  const column = columnName(read?.name ?? '', table)
  const expected = labelOf({ column })
  const isColumn = read?.kind === 'Identifier' && textOf(name) === expected.map && textOf(label) === expected.key
  return isColumn && isFree(column) ? { ...shape, column } : null
}

/** A column of that name would be that of the result. */
const isFree = (name: string): boolean => ![mapColumn, keyColumn, valueColumn].some((column) => column === name)

/** The text of a literal without escapes. */
const textOf = (node: SyntaxNode | undefined): string | undefined =>
  node?.kind === 'Literal' ? /^'([^'\\]*)'$/.exec(node.name)?.[1] : undefined

/** The expression that is cast to text, or the node itself. */
function plain(node: SyntaxNode): SyntaxNode | undefined {
  if (node.name !== 'CAST' && node.name !== 'toString') return node
  const [value, type] = argumentsOf(node) ?? []
  return type === undefined || textOf(type) === 'String' ? value : undefined
}

function isElement(node: SyntaxNode | undefined, of: string, at: number): boolean {
  const [entry, index] = node?.name === 'tupleElement' ? (argumentsOf(node) ?? []) : []
  return entry?.kind === 'Identifier' && entry.name === of && index?.name === `UInt64_${at}`
}

/** The filter operators of each column type. Operators are part of URLs: do not rename them. */
import { formatDatedMoment } from '../time/formatTime.ts'
import { cellText, type Column } from './columns.ts'
import type { TableFilter } from './tableState.ts'

interface Operator {
  id: string
  label: string
  /** Whether it compares with something that is typed or chosen. */
  takesValue: boolean
}

const has: Operator = { id: 'has', label: 'contains', takesValue: true }
const is: Operator = { id: 'is', label: 'is', takesValue: true }
const not: Operator = { id: 'not', label: 'is not', takesValue: true }
const min: Operator = { id: 'min', label: 'at least', takesValue: true }
const max: Operator = { id: 'max', label: 'at most', takesValue: true }
const after: Operator = { id: 'after', label: 'after', takesValue: true }
const before: Operator = { id: 'before', label: 'before', takesValue: true }
const empty: Operator = { id: 'empty', label: 'is empty', takesValue: false }

const operators: Record<NonNullable<Column<unknown>['type']>, readonly Operator[]> = {
  text: [has, is, not, empty],
  choice: [is, not, empty],
  number: [is, min, max, empty],
  boolean: [is],
  timestamp: [after, before, empty],
}

export function operatorsOf<Row>(column: Column<Row>): readonly Operator[] {
  return operators[column.type ?? 'text']
}

/** A filter for people: "State is Firing". */
export function formatFilter<Row>(filter: TableFilter, columns: readonly Column<Row>[]): string {
  const column = columns.find(({ id }) => id === filter.column)
  const operator = column && operatorsOf(column).find(({ id }) => id === filter.operator)
  const value = column ? formatValue(column, filter.value) : filter.value
  return [column?.title ?? filter.column, operator?.label ?? filter.operator, operator?.takesValue ? value : '']
    .filter(Boolean)
    .join(' ')
}

function formatValue<Row>(column: Column<Row>, value: string): string {
  if (column.type === 'choice') return column.options.find((option) => option.value === value)?.label ?? value
  if (column.type === 'timestamp') return formatDatedMoment(value) || value
  return value
}

/** Whether a row matchesFilter. A filter that does not fit the columns, or is not filled in, holds nothing back. */
export function matchesFilter<Row>(row: Row, filter: TableFilter, columns: readonly Column<Row>[]): boolean {
  const column = columns.find(({ id }) => id === filter.column)
  if (!column) return true
  const { operator, value } = filter
  if (operator === 'empty') return cellText(column, row) === ''
  if (value === '') return true
  switch (operator) {
    case 'has':
      return cellText(column, row).toLowerCase().includes(value.toLowerCase())
    case 'is':
      return equals(column, row, value)
    case 'not':
      return !equals(column, row, value)
    case 'min':
    case 'after':
      return compare(column, row, value, (a, b) => a >= b)
    case 'max':
    case 'before':
      return compare(column, row, value, (a, b) => a <= b)
    default:
      return true
  }
}

function equals<Row>(column: Column<Row>, row: Row, value: string): boolean {
  if (column.type === 'choice') return column.value(row) === value
  if (column.type === 'number') return column.value(row) === Number(value)
  return cellText(column, row).toLowerCase() === value.toLowerCase()
}

function compare<Row>(column: Column<Row>, row: Row, value: string, holds: (a: number, b: number) => boolean): boolean {
  const own = column.value(row)
  const [a, b] =
    column.type === 'timestamp'
      ? [Date.parse(String(own ?? '')), Date.parse(value)]
      : [Number(own ?? Number.NaN), Number(value)]
  return !Number.isNaN(a) && !Number.isNaN(b) && holds(a, b)
}

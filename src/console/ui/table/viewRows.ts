/** The filtered rows in the selected order. */
import { matchesTerms, searchText, searchTerms, type SearchText } from '../search.ts'
import { cellText, type Column } from './columns.ts'
import { matchesFilter } from './filters.ts'
import { groupsOf } from './tableParts.ts'
import type { TableState } from './tableState.ts'

/** Every row with the text that the search looks through: made once for a list, not with every key. */
interface Searchable<Row> {
  row: Row
  text: SearchText
}

/** `visible` are the columns that are shown: a search finds nothing that is not in sight. */
export function searchable<Row extends { id: string }>(
  rows: readonly Row[],
  visible: readonly Column<Row>[],
): Searchable<Row>[] {
  return rows.map((row) => ({
    row,
    text: searchText(visible.map((column) => cellText(column, row)).join('\n'), row.id),
  }))
}

/** A row must have every word of the search in its visible columns, and pass every filter. */
export function viewRows<Row>(
  rows: readonly Searchable<Row>[],
  columns: readonly Column<Row>[],
  { search, filters, sort }: Pick<TableState, 'search' | 'filters' | 'sort'>,
): Row[] {
  const words = searchTerms(search)
  const found = rows
    .filter(({ text }) => matchesTerms(text, words))
    .map(({ row }) => row)
    .filter((row) => filters.every((filter) => matchesFilter(row, filter, columns)))
  const column = columns.find(({ id }) => id === sort?.column)
  return sort && column ? sorted(found, column, sort.descending) : found
}

/** Rows of the same group one after another, groups in the order of their first rows. */
export function groupRows<Row>(rows: Row[], groupOf: ((row: Row) => string) | undefined): Row[] {
  return groupOf ? [...groupsOf(rows, groupOf).values()].flat() : rows
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Rows without a value come last in both directions. Equal rows keep their order. */
function sorted<Row>(rows: readonly Row[], column: Column<Row>, descending: boolean): Row[] {
  const direction = descending ? -1 : 1
  const keyed = rows.map((row) => ({ row, key: sortKey(column, row) }))
  return keyed
    .toSorted((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null)
      const order =
        typeof a.key === 'number' && typeof b.key === 'number'
          ? a.key - b.key
          : collator.compare(String(a.key), String(b.key))
      return order * direction
    })
    .map(({ row }) => row)
}

function sortKey<Row>(column: Column<Row>, row: Row): string | number | null {
  const value = column.value(row)
  if (value === null || value === undefined || value === '') return null
  if (column.type === 'timestamp') return Number.isNaN(Date.parse(String(value))) ? null : Date.parse(String(value))
  if (column.type === 'choice') return column.options.findIndex((option) => option.value === value)
  return typeof value === 'string' ? value : Number(value)
}

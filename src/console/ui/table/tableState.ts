/** What a person set on a table, and its form in an address. Texts only, short, readable, and tolerant of anything. */

export interface TableFilter {
  /** Ids of columns and operators hold no dot. */
  column: string
  operator: string
  value: string
}

export interface TableState {
  /** Words that a row must contain, in any of its columns. */
  search: string
  sort: { column: string; descending: boolean } | null
  filter: TableFilter | null
  /** Columns that are shown; null leaves it to the table. */
  columns: readonly string[] | null
  dense: boolean
  /** From 0. */
  page: number
}

export const plainTable: TableState = { search: '', sort: null, filter: null, columns: null, dense: false, page: 0 }

/** The texts of an address, by name. A text that is left out is the default. */
export type TableTexts = Partial<Record<'q' | 'sort' | 'filter' | 'columns' | 'dense' | 'page', string>>

/** `sort=-name`, `filter=state.is.ALERT`, `columns=name,state`, `page=2` (the first is 1). */
export function writeTableState(state: TableState): Required<TableTexts> {
  const { search, sort, filter, columns, dense, page } = state
  return {
    q: search,
    sort: sort ? `${sort.descending ? '-' : ''}${sort.column}` : '',
    filter: filter ? `${filter.column}.${filter.operator}.${filter.value}` : '',
    columns: columns ? columns.join(',') || 'none' : '',
    dense: dense ? '1' : '',
    page: page > 0 ? String(page + 1) : '',
  }
}

export function readTableState(texts: TableTexts): TableState {
  return {
    search: texts.q ?? '',
    sort: readSort(texts.sort ?? ''),
    filter: readFilter(texts.filter ?? ''),
    columns: readColumns(texts.columns ?? ''),
    dense: texts.dense === '1',
    page: readPage(texts.page ?? ''),
  }
}

function readSort(text: string): TableState['sort'] {
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  return column === '' ? null : { column, descending }
}

function readFilter(text: string): TableFilter | null {
  const [, column, operator, value] = /^([^.]+)\.([^.]+)\.(.*)$/s.exec(text) ?? []
  if (column === undefined || operator === undefined || value === undefined) return null
  return { column, operator, value }
}

function readColumns(text: string): string[] | null {
  if (text === '') return null
  return text === 'none' ? [] : text.split(',').filter((column) => column !== '')
}

function readPage(text: string): number {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) - 1 : 0
}

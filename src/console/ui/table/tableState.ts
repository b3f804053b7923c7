/** The state of a table, and its form in an address. Texts only, short, readable, and tolerant of anything. */

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
  filters: readonly TableFilter[]
  /** Columns that are shown; null leaves it to the table. */
  columns: readonly string[] | null
  dense: boolean
}

export const defaultTableState: TableState = { search: '', sort: null, filters: [], columns: null, dense: false }

/** The parameters of a URL, by name. A missing one is the default. */
type TableTexts = Partial<Record<'q' | 'sort' | 'filter' | 'columns' | 'dense', string>>

/** `sort=-name`, `filter=state.is.ALERT;name.has.cpu`, `columns=name,state`. */
export function writeTableState(state: TableState): Required<TableTexts> {
  const { search, sort, filters, columns, dense } = state
  return {
    q: search,
    sort: sort ? `${sort.descending ? '-' : ''}${sort.column}` : '',
    filter: filters.map(({ column, operator, value }) => `${column}.${operator}.${escape(value)}`).join(';'),
    columns: columns ? columns.join(',') || 'none' : '',
    dense: dense ? '1' : '',
  }
}

export function readTableState(texts: TableTexts): TableState {
  return {
    search: texts.q ?? '',
    sort: readSort(texts.sort ?? ''),
    filters: (texts.filter ?? '').split(';').flatMap(readFilter),
    columns: readColumns(texts.columns ?? ''),
    dense: texts.dense === '1',
  }
}

function readSort(text: string): TableState['sort'] {
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  return column === '' ? null : { column, descending }
}

function readFilter(text: string): TableFilter[] {
  const [, column, operator, value] = /^([^.]+)\.([^.]+)\.(.*)$/s.exec(text) ?? []
  if (column === undefined || operator === undefined || value === undefined) return []
  return [{ column, operator, value: unescape(value) }]
}

function readColumns(text: string): string[] | null {
  if (text === '') return null
  return text === 'none' ? [] : text.split(',').filter((column) => column !== '')
}

/** A value can contain the separator of filters. */
const escape = (value: string) => value.replace(/~/g, '~0').replace(/;/g, '~1')
const unescape = (text: string) => text.replace(/~1/g, ';').replace(/~0/g, '~')

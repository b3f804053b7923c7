/**
 * The SQL of a search, with the columns of `select` and the terms of `orderBy`. Everything that a client wrote is
 * checked, or bound as a value.
 */
import { splitExpressions, splitList } from '#contract/stack/expressionLists.ts'
import type { ParsedSearchQuery } from '#contract/stack/search.ts'
import { searchedExpressions } from '#contract/stack/sourceExpressions.ts'
import type { Source } from '#contract/stack/sources.ts'
import { Bindings } from '../bindings.ts'
import type { Engine } from '../engine/engine.ts'
import { checkExpression } from '../expression/expression.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'
import { fieldValue, missingField, type Value } from '../fieldExpressions.ts'
import { filterSql } from '../filter/filterSql.ts'
import type { ReadableDatabases } from '../readableTables.ts'
import { columnType, layoutOf, type TableLayout } from '../tableLayout.ts'
import { tableFilterOf } from '../tableFilter.ts'
import { quoted, tableSql, type TableName } from '../engine/tableName.ts'
import { readTimes, timeRangeSql, type Times } from '../timeRange.ts'
import { reading, SearchError } from './searchError.ts'

export interface SearchStatement {
  sql: string
  bindings: Bindings
  /** The columns of the answer by the names in the statement. Others keep their name. */
  names: ReadonlyMap<string, string>
}

/** The times of a search in milliseconds since 1970. */
interface Range {
  from: number
  to: number
}

/**
 * @param isForPeople columns are named after what they show, where that hides no column from the condition
 * @throws SearchError
 */
export async function searchStatement(
  engine: Engine,
  query: ParsedSearchQuery & Range,
  source: Source,
  databases: ReadableDatabases,
  isForPeople = false,
): Promise<SearchStatement> {
  const table = await reading('sourceId', () => tableOf(source, databases))
  const layout = await reading('sourceId', () => layoutOf(engine, table))
  return new SearchBuilder(engine, source, table, layout, isForPeople).build(query)
}

function tableOf(source: Source, databases: ReadableDatabases): TableName {
  const { databaseName = '', tableName = '' } = source.from ?? {}
  const hasRows = source.kind !== 'metric' && source.kind !== 'promql'
  if (hasRows && tableName) return { database: databases.resolve(databaseName), table: tableName }
  throw new SearchError(
    400,
    `BAD_ARGUMENTS: sourceId: ${source.name} cannot be searched: use a source of logs or traces`,
  )
}

class SearchBuilder {
  readonly #bindings = new Bindings()
  readonly #engine: Engine
  readonly #source: Source
  readonly #table: TableName
  readonly #layout: TableLayout
  readonly #isForPeople: boolean

  constructor(engine: Engine, source: Source, table: TableName, layout: TableLayout, isForPeople: boolean) {
    this.#engine = engine
    this.#source = source
    this.#table = table
    this.#layout = layout
    this.#isForPeople = isForPeople
  }

  async build(query: ParsedSearchQuery & Range): Promise<SearchStatement> {
    const times = await reading('sourceId', () => this.#times())
    const columns = await reading('select', () => this.#columns(query.select))
    const order = await reading('orderBy', () => this.#order(query.orderBy, columns, times))
    const where = await reading('where', () => this.#where(query))
    const tableFilter = await reading('sourceId', () => this.#tableFilter())
    const range = timeRangeSql(times, { ...query, timeKeys: this.#layout.timeKeys }, this.#bindings)
    return {
      sql: `SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${tableSql(this.#table)}
        WHERE ${[range, ...tableFilter, ...(where ? [where] : [])].join(' AND ')} ORDER BY ${order.join(', ')}
        LIMIT ${query.maxResults} OFFSET ${query.offset}`,
      bindings: this.#bindings,
      names: new Map(columns.flatMap(({ key, name }) => (key ? [[key, name]] : []))),
    }
  }

  #times(): Promise<Times> {
    return readTimes(this.#source, (expression) => this.#value(expression))
  }

  #text(field: string): string {
    const value = this.#source[field] // sources have further texts beside those of the schema
    return typeof value === 'string' ? value : ''
  }

  /** Every column has a name of its own in the statement, which hides no column from the condition. */
  async #columns(select: string) {
    const written = select.trim() || this.#text('defaultTableSelectExpression').trim() || '*'
    const items = listItems(written)
    return Promise.all(
      items.map(async (item, at) => {
        if (item === '*') return { sql: '*', key: null, name: '*', alias: undefined }
        const { expression, alias } = readColumn(item)
        const { sql, name } = await this.#column({ expression, alias })
        const isClear = sql === quoted(name) || !this.#layout.columns.has(name)
        const key = this.#isForPeople && isClear ? quoted(name) : `__column_${at}`
        return { sql: `${sql} AS ${key}`, key, name, alias }
      }),
    )
  }

  async #column({ expression, alias }: Column): Promise<{ sql: string; name: string }> {
    const { sql, name, type } = await this.#value(expression)
    if (type.kind === 'state') {
      throw new ExpressionError('the state of an aggregate is not a value: leave out State, as in uniq(…)')
    }
    return { sql, name: alias ?? name }
  }

  /** A column, a key of a map after a dot, or a checked expression. */
  async #value(text: string): Promise<Value & { name: string }> {
    const isName = this.#layout.columns.has(text) || /^[\w.]+$/.test(text)
    const field = isName ? fieldValue(text, this.#layout.columns, this.#bindings) : undefined
    if (field) return { ...field, name: text }
    if (/^[A-Za-z_][\w.]*$/.test(text)) {
      throw new ExpressionError(missingField(text, this.#layout.columns), 'UNKNOWN_IDENTIFIER')
    }
    const { sql, type, name } = await checkExpression(this.#engine, text, this.#table)
    return { sql, type: columnType(type), name }
  }

  async #order(
    orderBy: string,
    columns: readonly { key: string | null; alias: string | undefined }[],
    times: Times,
  ): Promise<string[]> {
    const written = orderBy.trim() || this.#text('orderByExpression').trim()
    if (!written) return this.#newestFirst(times)
    return Promise.all(
      listItems(written).map(async (item) => {
        const { expression, direction } = readOrderTerm(item)
        const selected = columns.find(({ alias }) => alias !== undefined && alias === expression)
        const sql = selected?.key ?? (await this.#value(expression)).sql
        return `${sql} ${direction}`
      }),
    )
  }

  /** Begins with the time of the sorting key, so that the engine reads backwards and stops early. */
  async #newestFirst({ main, others }: Times): Promise<string[]> {
    const shown = splitExpressions(this.#text('displayedTimestampValueExpression'))
    const displayed = await Promise.all(shown.map((expression) => this.#value(expression)))
    const key = this.#layout.timeKeys.find(({ column }) => column === main.sql)
    const keys = key ? [`${key.function}(${key.column})`] : []
    const sorted = [...others, main, ...displayed].map(({ sql }) => sql)
    return [...new Set([...keys, ...sorted])].map((sql) => `${sql} DESC`)
  }

  /** The condition that a source of logs adds to each of its searches. */
  async #tableFilter(): Promise<string[]> {
    const text = tableFilterOf(this.#source)
    return text === '' ? [] : [await this.#condition(text)]
  }

  async #where({ where, whereLanguage }: ParsedSearchQuery): Promise<string | undefined> {
    if (where.trim() === '') return undefined
    return whereLanguage === 'lucene' ? this.#filter(where) : this.#condition(where)
  }

  async #condition(where: string): Promise<string> {
    const { sql, type } = await checkExpression(this.#engine, where, this.#table)
    const { kind } = columnType(type)
    if (kind === 'number' || kind === 'bool') return sql
    throw new ExpressionError(
      `a condition must be true or false, but this has the type ${type}`,
      'ILLEGAL_TYPE_OF_ARGUMENT',
    )
  }

  async #filter(text: string): Promise<string | undefined> {
    const searched = await Promise.all(searchedExpressions(this.#source).map((expression) => this.#value(expression)))
    return filterSql(text, { columns: this.#layout.columns, searched, bindings: this.#bindings })
  }
}

/** At most this many columns, or terms of an order. */
const maxItems = 200

/** Parts between commas that are not in brackets or quotes. @throws ExpressionError */
function listItems(text: string): string[] {
  if (text.trim() === '') return []
  const items = splitList(text)
  if (items.includes('')) throw new ExpressionError('an item is empty: remove the extra comma', 'SYNTAX_ERROR')
  if (items.length > maxItems) throw new ExpressionError(`at most ${maxItems} items are allowed`)
  return items
}

interface Column {
  expression: string
  /** The name after AS. */
  alias: string | undefined
}

const aliased = /\sAS\s+(?:([A-Za-z_]\w*)|`([^`\\]+)`|"([^"\\]+)")$/i

function readColumn(item: string): Column {
  const [expression, ...names] = withoutEnding(item, aliased)
  return { expression, alias: names.find((name) => name !== undefined) }
}

interface OrderTerm {
  expression: string
  /** The suffix of the expression: ASC or DESC, and where nulls are. */
  direction: string
}

function readOrderTerm(item: string): OrderTerm {
  const [whole, nulls] = withoutEnding(item, /\sNULLS\s+(FIRST|LAST)$/i)
  const [expression, direction = 'ASC'] = withoutEnding(whole, /\s(ASC|DESC)$/i)
  return { expression, direction: direction.toUpperCase() + (nulls ? ` NULLS ${nulls.toUpperCase()}` : '') }
}

/** @returns the text before an ending and the groups of the ending; the whole item if it has no ending or nothing else */
function withoutEnding(item: string, ending: RegExp): [string, ...(string | undefined)[]] {
  const found = ending.exec(item)
  const before = found ? item.slice(0, found.index).trimEnd() : ''
  return found && before !== '' ? [before, ...found.slice(1)] : [item]
}

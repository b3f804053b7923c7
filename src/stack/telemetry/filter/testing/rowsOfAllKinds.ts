/** Rows with values of all kinds, missing ones among them, and random filters on them, for tests of filters. */
import * as fc from 'fast-check'
import { Bindings } from '../../bindings.ts'
import type { Engine } from '../../engine/engine.ts'
import { filterSql, type FilterScope } from '../filterSql.ts'
import { columnType } from '../../tableLayout.ts'

const table = 'rows_of_all_kinds'

export interface RowsOfAllKinds {
  ids: readonly string[]
  /** The rows that each filter finds, all in one statement. @throws FilterError */
  found: (filters: readonly string[]) => Promise<string[][]>
  /** Reads a filter. @throws FilterError */
  check: (filter: string) => void
}

export async function rowsOfAllKinds(engine: Engine): Promise<RowsOfAllKinds> {
  await engine.command(`CREATE TABLE ${table} (
    id UInt8, Body String, Note Nullable(String), Word LowCardinality(Nullable(String)), Number Nullable(Float64),
    Flag Nullable(Bool), At Nullable(DateTime64(9, 'UTC')), Attributes Map(String, String),
    Extras Map(String, Nullable(String)), Tags Array(Nullable(String)), Data JSON, Any Dynamic,
    Address Nullable(IPv4), Amount Nullable(Decimal(38, 12)), Large Decimal(76, 0)
  ) ENGINE = Memory`)
  await engine.command(`INSERT INTO ${table} SELECT number, ['', 'web down', 'Ошибка web', 'x'][number % 4 + 1],
    [NULL, '', 'web', '500', 'x5'][number % 5 + 1], [NULL, 'web', ''][number % 3 + 1], [NULL, 500, nan, -1, inf][number % 5 + 1],
    [NULL, true, false][number % 3 + 1], if(number % 2 = 0, NULL, toDateTime64(1.5e9 + number, 9, 'UTC')),
    if(number % 3 = 0, map(), map('code', ['500', 'none', '9', ''][number % 4 + 1])),
    if(number % 2 = 0, map(), map('code', [NULL, '500', 'web'][number % 3 + 1])),
    [[], [NULL], ['web', NULL], ['500']][number % 4 + 1], if(number % 2 = 0, '{}', '{"a": {"b": "web"}, "code": 500}'),
    [NULL, 'web', '500'][number % 3 + 1]::Dynamic, [NULL, '127.0.0.1'][number % 2 + 1],
    ['500', NULL, '99999999999999999999.123456789012', '99999999999999999999.123456789013'][number % 4 + 1], '500' FROM numbers(60)`)
  const described = await engine.query<{ name: string; type: string }>(`DESCRIBE TABLE ${table}`)
  const columns = new Map(described.map(({ name, type }) => [name, columnType(type)]))
  const searched = ['Note', 'Body'].map((sql) => ({ sql, type: columns.get(sql) ?? columnType('String') }))
  const scope = (): FilterScope => ({ columns, searched, bindings: new Bindings() })
  const found = async (filters: readonly string[]) => {
    const shared = scope()
    const lists = filters.map((filter) => `groupArrayIf(id, ${filterSql(filter, shared) ?? 'true'})`)
    const [row] = await engine.query<{ lists: (string | number)[][] }>(
      `SELECT [${lists.join(', ')}] AS lists FROM (SELECT * FROM ${table} ORDER BY id)`,
      { params: shared.bindings.params },
    )
    return (row?.lists ?? []).map((ids) => ids.map(String))
  }
  return {
    ids: Array.from({ length: 60 }, (_, at) => String(at)),
    found,
    check: (filter) => void filterSql(filter, scope()),
  }
}

const field = fc.constantFrom(
  'Body',
  'Note',
  'Word',
  'Number',
  'Flag',
  'At',
  'Attributes.code',
  'Attributes',
  'Extras.code',
  'Extras',
  'Tags',
  'Data.a.b',
  'Data.code',
  'Note.code',
  'Any',
  'Address',
  'Amount',
  'Large',
)
const value = fc.constantFrom(
  '*',
  'web',
  '"web"',
  '500',
  '>=500',
  '>99999999999999999999.123456789012',
  '>=1e19',
  '<=9',
  '>web',
  '[1 TO 600]',
  '{* TO 500}',
  '[* TO *]',
  '(web OR 5*)',
  '(NOT web)',
  'ошибка',
  'true',
  '>2017-07-14',
  '(we* -"x")',
  '""',
)
const bare = fc.constantFrom('web', '"web"', 'we*', '*', 'ошибка', '500', '"x5"')
export const { condition: filterText } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: 'medium', withCrossShrink: true },
    fc.oneof(
      fc.tuple(field, value).map(([name, text]) => `${name}:${text}`),
      bare,
    ),
    tie('condition').map((condition) => `NOT (${condition})`),
    fc
      .tuple(tie('condition'), fc.constantFrom(' ', ' OR ', ' AND '), tie('condition'))
      .map(([a, join, b]) => `(${a})${join}(${b})`),
  ),
}))

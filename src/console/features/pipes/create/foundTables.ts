/** Between the tables that a test of the source found and the mappings of the form. */
import type { FoundTable } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { emptyTable, type TableRow } from '../forms/pipeForm.ts'

/** "public.orders" */
export const tableName = ({ schema, name }: Pick<FoundTable, 'schema' | 'name'>): string => `${schema}.${name}`

export const isRowOf = (row: TableRow, { schema, name }: FoundTable): boolean =>
  row.sourceSchemaName === schema && row.sourceTable === name

/** The mapping of a table; undefined if it is not chosen. */
export const chosenRow = (rows: readonly TableRow[], found: FoundTable): TableRow | undefined =>
  rows.find((row) => isRowOf(row, found))

/**
 * The mapping of a table that is chosen: with its own name, where no other chosen table has it. Without a primary key, rows
 * have nothing by which a later version would replace an earlier one.
 */
export function rowFor(found: FoundTable, rows: readonly TableRow[]): TableRow {
  const { schema, name, primaryKey } = found
  const taken = new Set(rows.map(({ targetTable }) => targetTable))
  const candidates = [name, `${schema}_${name}`, ...rows.map((_, at) => `${schema}_${name}_${at + 2}`)]
  return {
    ...emptyTable,
    sourceSchemaName: schema,
    sourceTable: name,
    targetTable: candidates.find((candidate) => !taken.has(candidate)) ?? '',
    tableEngine: primaryKey.length > 0 ? 'ReplacingMergeTree' : 'MergeTree',
  }
}

/** The mappings with those of some more tables. */
export const withTables = (rows: readonly TableRow[], added: readonly FoundTable[]): TableRow[] =>
  added.reduce<TableRow[]>((all, found) => (chosenRow(all, found) ? all : [...all, rowFor(found, all)]), [...rows])

/** The mappings without those of some tables. */
export const withoutTables = (rows: readonly TableRow[], removed: readonly FoundTable[]): TableRow[] =>
  rows.filter((row) => !removed.some((found) => isRowOf(row, found)))

/** The mapping with a column, or without it. */
export function withColumn(row: TableRow, column: string, on: boolean): TableRow {
  const others = row.excludedColumns.filter((excludedColumn) => excludedColumn !== column)
  return { ...row, excludedColumns: on ? others : [...others, column] }
}

/** The bytes of the chosen tables together; null where one of them is not known. */
export function chosenBytes(tables: readonly FoundTable[], rows: readonly TableRow[]): number | null {
  const sizes = rows.map((row) => tables.find((table) => isRowOf(row, table))?.bytes ?? null)
  return sizes.reduce<number | null>((sum, bytes) => (sum === null || bytes === null ? null : sum + bytes), 0)
}

/** Finds the keys of rows that changed at the source. */
import type { SourceTable } from './source/postgresTables.ts'
import { parseChange, transactionOf, type Change, type Tuple } from './source/testDecoding.ts'

/** The values of a primary key, in the order of its columns. */
export type RowKey = readonly string[]

export interface Changed {
  table: SourceTable
  /** Whether the table was truncated. */
  isEmptied: boolean
  /** Whether the log does not say which rows changed: the table has to be loaded again. */
  isUnclear: boolean
  /** Each key once. */
  keys: RowKey[]
}

/** Collects the changes of tables. Each line has one or several changes. */
export interface ChangeCollector {
  /** @param line of `test_decoding` with the numbers of transactions. Lines of other tables are ignored */
  add(line: string): void
  changed(): Changed[]
  /** The numbers of the transactions that changed a table. */
  transactions(): ReadonlySet<string>
}

/** @param tables by the names in the server's log, of which a table may have several */
export function changeCollector(tables: ReadonlyMap<string, SourceTable>): ChangeCollector {
  const followed = new Map<SourceTable, { isEmptied: boolean; isUnclear: boolean; keys: Map<string, RowKey> }>()
  for (const table of tables.values()) followed.set(table, { isEmptied: false, isUnclear: false, keys: new Map() })
  const transactions = new Set<string>()
  /** The transaction of the line. */
  let transaction: string | null = null
  return {
    add(line) {
      transaction = transactionOf(line) ?? transaction
      for (const change of parseChange(line)) {
        const table = tables.get(loggedName(change.table))
        const changed = table && followed.get(table)
        if (!table || !changed) continue
        if (transaction !== null) transactions.add(transaction)
        if (change.kind === 'TRUNCATE') {
          // For a part of a table, the log does not say which rows are gone.
          if (loggedName(change.table) === table.name) changed.isEmptied = true
          else changed.isUnclear = true
          continue
        }
        const keys = keysOf(change, table)
        if (!keys) changed.isUnclear = true
        else for (const key of keys) changed.keys.set(JSON.stringify(key), key)
      }
    },
    changed: () =>
      [...followed]
        .map(([table, changed]) => ({ ...changed, table, keys: [...changed.keys.values()] }))
        .filter(({ isEmptied, isUnclear, keys }) => isEmptied || isUnclear || keys.length > 0),
    transactions: () => transactions,
  }
}

function loggedName({ schema, name }: Change['table']): string {
  return `${schema}.${name}`
}

/** The keys of a changed row before and after; null if the change does not have them. */
function keysOf({ before, after }: Change, table: SourceTable): RowKey[] | null {
  const tuples = [before, after].filter((tuple) => tuple.size > 0)
  const keys = tuples.flatMap((tuple) => keyOf(tuple, table) ?? [])
  return keys.length > 0 && keys.length === tuples.length ? keys : null
}

/** Null if it has none: the key was another one at the time of the change, or is stored apart and did not change. */
function keyOf(tuple: Tuple, { primaryKey }: SourceTable): [RowKey] | null {
  const key = primaryKey.flatMap(({ name }) => tuple.get(name) ?? [])
  return key.length === primaryKey.length ? [key] : null
}

/** Copies the current state of rows that changed at the source to the destination. */
import { escapeIdentifier, escapeLiteral } from 'pg'
import { deletedColumn, versionColumn, type DestinationTable } from '../loads/destinationTable.ts'
import { rowsOfPipe } from '../loads/loadNumbers.ts'
import { deleteRows } from '../loads/loads.ts'
import type { Changed, RowKey } from './changedRows.ts'
import type { PostgresRun } from './postgresRun.ts'
import { jsonColumns, sourceName, type SourceTable } from './source/postgresTables.ts'
import { isStoredAsText } from './source/postgresTypes.ts'
import { bytesOfRow, type JsonRow, placeOf, tableLoader } from './tableLoader.ts'

/** How many keys of a batch of changes are done, by table. */
export const donePrefix = 'done '
export const doneMark = (name: string) => `${donePrefix}${name}`

/** The limits of the keys in one statement. */
const maxKeys = 5000
const maxCharacters = 100_000

/**
 * Applies the changes of a table. How far it is, is stored with each load, so that none is carried out twice.
 * @param target the table that gets them
 * @param version greater than the version of all earlier changes
 */
export async function applyChanges(
  run: PostgresRun,
  { table, isEmptied, keys }: Changed,
  target: DestinationTable,
  version: bigint,
): Promise<void> {
  const { parts, pipe, cursors, signal } = run
  const mark = doneMark(table.name)
  const known = await cursors.get(parts.store, mark)
  if (isEmptied && known === null) {
    for (const condition of await rowsOfPipe(parts.store, pipe.id)) {
      await deleteRows(parts.engine, target, condition)
    }
    await parts.store.write((transaction) => cursors.set(transaction, mark, '0'))
  }
  let done = Number(known ?? 0)
  if (done >= keys.length) return
  const loader = await tableLoader(run, table, target)
  let batch = loader.newBatch()
  const flush = async () => {
    const upTo = String(done)
    await loader.load(batch.records, (transaction) => cursors.set(transaction, mark, upTo), signal)
    batch = loader.newBatch()
  }
  for (const some of keyLists(keys.slice(done))) {
    for await (const rows of run.server.stream<Found>(currentRows(table, some), bytesOfRow, signal)) {
      for (const found of rows) {
        batch.add(found, `"${versionColumn}":${version},"${deletedColumn}":${found.deleted}`)
        done++
        if (batch.isFull()) await flush()
      }
    }
  }
  if (batch.records.rows + batch.records.badCount > 0) await flush()
}

interface Found extends JsonRow {
  deleted: string
}

/** Splits keys into those of one statement each. */
export function keyLists(keys: readonly RowKey[]): RowKey[][] {
  const lists: RowKey[][] = []
  let list: RowKey[] = []
  let characters = 0
  for (const key of keys) {
    const length = key.reduce((sum, value) => sum + value.length, 0)
    if (list.length === maxKeys || characters + length > maxCharacters) list = []
    if (list.length === 0) {
      lists.push(list)
      characters = 0
    }
    list.push(key)
    characters += length
  }
  return lists
}

/** A SELECT of the current rows, one for each key in their order: of a row that no longer exists, its key alone. */
function currentRows(table: SourceTable, keys: readonly RowKey[]): string {
  const { primaryKey, columns } = table
  const names = primaryKey.map(({ name }) => escapeIdentifier(name))
  const lists = primaryKey.map(
    ({ type }, at) => `ARRAY[${keys.map((key) => escapeLiteral(key[at] ?? '')).join(', ')}]::${type}[]`,
  )
  // Values that are equal at the source, such as texts in any case, are different ones in the engine.
  const same = primaryKey.map((column, at) => {
    const [wanted, found] = [`w.${names[at]}`, `t.${names[at]}`]
    return isStoredAsText(column) ? `${found} = ${wanted} AND ${found}::text = ${wanted}::text` : `${found} = ${wanted}`
  })
  return `SELECT CASE WHEN t.${names[0]} IS NULL THEN row_to_json(k)::text ELSE row_to_json(x)::text END AS row,
      ${placeOf(table, 'w')} AS place, CASE WHEN t.${names[0]} IS NULL THEN 1 ELSE 0 END AS deleted
    FROM unnest(${lists.join(', ')}) WITH ORDINALITY AS w(${names.join(', ')}, _pipe_at)
    LEFT JOIN ${sourceName(table)} t ON ${same.join(' AND ')}
    CROSS JOIN LATERAL (SELECT ${jsonColumns(columns, 't')}) x
    CROSS JOIN LATERAL (SELECT ${jsonColumns(primaryKey, 'w')}) k
    ORDER BY w._pipe_at`
}

/** Finds rows that changed at the source, and copies their current state to the destination. */
import { rowsOfPipe } from '../loads/loadNumbers.ts'
import { deleteRows, runLoad } from '../loads/loads.ts'
import type { PostgresRun } from './postgresRun.ts'
import type { SourceTable } from './postgresTables.ts'
import { identifier, literal, qualified } from '../loads/sqlNames.ts'
import { deletedColumn, loadColumn, versionColumn } from '../loads/destinationTable.ts'
import { parseChange, type Tuple } from './testDecoding.ts'

/** The values of a primary key, in the order of its columns. */
export type RowKey = readonly string[]

export interface Changed {
  table: SourceTable
  /** Whether the table was truncated. */
  isEmptied: boolean
  /** Each key once. */
  keys: RowKey[]
}

/** @param lines of `test_decoding`. Lines of other tables are ignored */
export function changedRows(lines: readonly string[], tables: readonly SourceTable[]): Changed[] {
  const followed = new Map(
    tables.map((table) => [table.name, { table, isEmptied: false, keys: new Map<string, RowKey>() }]),
  )
  for (const line of lines) {
    for (const { table, kind, before, after } of parseChange(line)) {
      const changed = followed.get(`${table.schema}.${table.name}`)
      if (!changed) continue
      if (kind === 'TRUNCATE') changed.isEmptied = true
      for (const tuple of [before, after]) {
        if (tuple.size === 0) continue
        const key = keyOf(tuple, changed.table)
        changed.keys.set(JSON.stringify(key), key)
      }
    }
  }
  return [...followed.values()]
    .filter(({ isEmptied, keys }) => isEmptied || keys.size > 0)
    .map((changed) => ({ ...changed, keys: [...changed.keys.values()] }))
}

function keyOf(tuple: Tuple, { name, primaryKey }: SourceTable): RowKey {
  return primaryKey.map((column) => {
    const value = tuple.get(column)
    if (value == null) throw new Error(`a change of ${name} has no value for ${column}`)
    return value
  })
}

/** @param version greater than the version of all earlier changes */
export async function applyChanges(run: PostgresRun, changes: readonly Changed[], version: bigint): Promise<void> {
  const { parts, pipe, signal } = run
  for (const { table, isEmptied, keys } of changes) {
    if (isEmptied) {
      for (const condition of await rowsOfPipe(parts.store, pipe.id)) {
        await deleteRows(parts.engine, table.target, condition)
      }
    }
    for (const batch of keyBatches(keys)) await readAnew(run, table, batch, version)
    signal.throwIfAborted()
  }
}

/** The limits of the keys in one statement. */
const maxKeys = 5000
const maxCharacters = 100_000

/** How a key can be selected: in a list, alone, or only by a scan of the whole table. */
type KeySelection = 'list' | 'alone' | 'scan'

/** The engine escapes quotes in lists, and control characters, differently than the server reads them. */
function selectionFor(key: RowKey): KeySelection {
  if (key.some((value) => /\p{Cc}/u.test(value))) return 'scan'
  return key.some((value) => /['\\]/.test(value)) ? 'alone' : 'list'
}

/** Groups keys by the statement that fetches their rows. */
export function keyBatches(keys: readonly RowKey[]): { selection: KeySelection; keys: RowKey[] }[] {
  const by = (selection: KeySelection) => keys.filter((key) => selectionFor(key) === selection)
  return [
    ...cut(by('list')).map((some) => ({ selection: 'list' as const, keys: some })),
    ...by('alone').map((key) => ({ selection: 'alone' as const, keys: [key] })),
    ...cut(by('scan')).map((some) => ({ selection: 'scan' as const, keys: some })),
  ]
}

function cut(keys: readonly RowKey[]): RowKey[][] {
  const batches: RowKey[][] = []
  let batch: RowKey[] = []
  let characters = 0
  for (const key of keys) {
    const length = key.reduce((sum, value) => sum + value.length, 0)
    if (batch.length === maxKeys || characters + length > maxCharacters) batch = []
    if (batch.length === 0) {
      batches.push(batch)
      characters = 0
    }
    batch.push(key)
    characters += length
  }
  return batches
}

/** The current rows, and a deletion mark for rows that no longer exist. */
async function readAnew(
  { parts, pipe, server, signal }: PostgresRun,
  table: SourceTable,
  { selection, keys }: ReturnType<typeof keyBatches>[number],
  version: bigint,
): Promise<void> {
  const { target, columns, primaryKey, mapping } = table
  const { call, params } = server.table(mapping.sourceSchemaName, mapping.sourceTable)
  const typed = primaryKey.map((name) => `${identifier(name)} ${columns.find((one) => one.name === name)?.type}`)
  const named = columns.map(({ name }) => identifier(name))
  const own = [loadColumn, versionColumn, deletedColumn]
  const statement = (load: number) => ({
    sql: `INSERT INTO ${qualified(target.database, target.table)} (${[...named, ...own].join(', ')})
      SELECT ${columns.map(({ name }) => `${primaryKey.includes(name) ? 'wanted' : 'found'}.${identifier(name)}`).join(', ')},
        ${load}, ${version}, found._pipe_found = 0
      FROM (SELECT * FROM format('JSONCompactEachRow', {structure:String}, {keys:String})) AS wanted
      LEFT JOIN (SELECT ${named.join(', ')}, 1 AS _pipe_found FROM ${call} WHERE ${condition(table, selection, keys)}) AS found
      USING (${primaryKey.map(identifier).join(', ')})
      SETTINGS insert_allow_materialized_columns = 1, insert_null_as_default = 1, join_use_nulls = 0`,
    params: { ...params, structure: typed.join(', '), keys: keys.map((key) => JSON.stringify(key)).join('\n') },
  })
  await runLoad(parts, { pipeId: pipe.id, target, bytes: 0, statement }, signal)
}

/** The condition for rows with one of the keys. A scan reads all rows and filters them here. */
function condition({ columns, primaryKey }: SourceTable, selection: KeySelection, keys: readonly RowKey[]): string {
  const isNumber = primaryKey.map((name) => /Int/.test(columns.find((one) => one.name === name)?.type ?? ''))
  const spelled = (value: string, at: number) => (isNumber[at] ? String(BigInt(value)) : literal(value))
  // The engine evaluates a function call itself.
  const names = primaryKey.map((name, at) =>
    selection === 'scan' && !isNumber[at] ? `concat(${identifier(name)}, '')` : identifier(name),
  )
  if (selection === 'alone') {
    return names.map((name, at) => `${name} = ${spelled(keys[0]?.[at] ?? '', at)}`).join(' AND ')
  }
  const list = keys.map((key) => `(${key.map(spelled).join(', ')})`)
  return `${names.length === 1 ? names[0] : `(${names.join(', ')})`} IN (${list.join(', ')})`
}

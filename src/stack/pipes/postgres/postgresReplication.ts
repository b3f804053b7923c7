/**
 * Logical replication over plain queries: a slot of the server keeps its log, `test_decoding` shows which rows changed, and
 * the current rows are read by their key. A row that no longer exists is marked as deleted.
 *
 * A slot is advanced only after everything up to there is in the tables. After a kill the same changes are read again, and
 * those that were applied are passed over. While a table is copied, its changes are applied too. They have later versions than
 * the rows of the copy, which are read after the last change that was passed over, so no change is missed.
 */
import { Refusal } from '../../refusal.ts'
import type { Queries } from '../../store/store.ts'
import { applyChanges, donePrefix } from './applyChanges.ts'
import { changeCollector, type Changed } from './changedRows.ts'
import type { DestinationTable } from '../loads/destinationTable.ts'
import { batchSize, type PostgresRun } from './postgresRun.ts'
import type { PostgresServer } from './source/postgresServer.ts'
import { loggedNames, type SourceTable } from './source/postgresTables.ts'
import { untilVisible } from './source/transactions.ts'

interface Line extends Record<string, string | null> {
  lsn: string
  data: string
}

/** The end of the batch of changes that is being applied. */
const batchCursor = 'batch'

/** The handling of tables whose changes cannot be applied. */
export interface Followers {
  /** @throws TableChanged if a table is not as it was described */
  unchanged(): Promise<void>
  /** Stops whatever else writes to the table. Called before its rows are deleted, because it was truncated. */
  emptied(table: SourceTable): Promise<void>
  /** The log does not tell what changed: the table has to be loaded again. */
  again(table: SourceTable): Promise<void>
  /** Its changes were not applied. Rejects if this is not the table's fault. */
  failed(table: SourceTable, error: unknown): Promise<void>
}

/**
 * Applies everything that is committed by now, in batches of whole transactions. A batch that was interrupted is read again as
 * it was, and goes on where it stopped.
 * @param targets the tables that are followed, with those that get their changes
 */
export async function followChanges(
  run: PostgresRun,
  slot: string,
  targets: ReadonlyMap<SourceTable, DestinationTable>,
  followers: Followers,
): Promise<void> {
  const { parts, pipe, server, cursors } = run
  const limit = batchSize(pipe)
  const tables = loggedNames([...targets.keys()])
  const { now, confirmed } = await position(run, slot)
  const stored = await cursors.get(parts.store, batchCursor)
  let begun = stored !== null && versionOf(stored) > versionOf(confirmed) ? stored : null
  for (;;) {
    if (begun === null) await parts.store.write((transaction) => forgetBatch(run, transaction))
    const { changed, transactions, lines, end } = await readBatch(
      run,
      slot,
      tables,
      begun ?? now,
      begun === null ? limit : null,
    )
    if (end === null) break
    if (changed.length > 0) {
      // A row that is not visible yet would be taken for deleted.
      await untilVisible(run, transactions)
      // Rows of the batch may have columns that were not there before.
      await followers.unchanged()
    }
    if (begun === null) await parts.store.write((transaction) => cursors.set(transaction, batchCursor, end))
    for (const change of changed) {
      const { table, isEmptied, isUnclear } = change
      if (isUnclear) {
        await followers.again(table)
        continue
      }
      if (isEmptied) await followers.emptied(table)
      await applyChanges(run, change, targets.get(table) ?? table.target, versionOf(end)).catch((error: unknown) =>
        followers.failed(table, error),
      )
    }
    await advance(server, slot, end)
    if (begun === null && lines < limit) break
    begun = null
  }
  await parts.store.write((transaction) => forgetBatch(run, transaction))
  await advance(server, slot, now)
  parts.meter.lag(pipe.id, 0)
}

/** Forgets where the pipe is in a batch of changes. */
export async function forgetBatch({ cursors }: PostgresRun, transaction: Queries): Promise<void> {
  await cursors.remove(transaction, batchCursor)
  await cursors.removeBelow(transaction, donePrefix)
}

interface Batch {
  changed: Changed[]
  /** The numbers of the transactions that made them. */
  transactions: ReadonlySet<string>
  lines: number
  /** Null if there is none. */
  end: string | null
}

/** @param limit of the changes, beyond which the last transaction is completed; null for none */
async function readBatch(
  { server, signal }: PostgresRun,
  slot: string,
  tables: ReadonlyMap<string, SourceTable>,
  upTo: string,
  limit: number | null,
): Promise<Batch> {
  const collector = changeCollector(tables)
  let lines = 0
  let end: string | null = null
  const select = `SELECT lsn::text AS lsn, data FROM pg_catalog.pg_logical_slot_peek_changes('${slot}', '${upTo}', ${limit},
    'include-xids', '1', 'skip-empty-xacts', '1')`
  for await (const portion of server.stream<Line>(select, ({ data }) => data.length, signal)) {
    for (const { lsn, data } of portion) {
      collector.add(data)
      lines++
      end = lsn
    }
  }
  return { changed: collector.changed(), transactions: collector.transactions(), lines, end }
}

/** The current end of the server's log, and how far the slot was advanced. Reports its lag. */
async function position(
  { parts, pipe, server }: PostgresRun,
  slot: string,
): Promise<{ now: string; confirmed: string }> {
  const [row] = await server.query<{ now: string; confirmed: string; behind: string }>(
    `SELECT pg_current_wal_flush_lsn()::text AS now, confirmed_flush_lsn::text AS confirmed,
            pg_wal_lsn_diff(pg_current_wal_flush_lsn(), confirmed_flush_lsn)::text AS behind
     FROM pg_catalog.pg_replication_slots WHERE slot_name = $1`,
    [slot],
  )
  if (!row)
    throw new Refusal(
      400,
      `replication slot ${slot} no longer exists, and changes are lost. Resync copies everything again`,
    )
  parts.meter.lag(pipe.id, Number(row.behind) / 2 ** 20)
  return row
}

/** The current end of the server's log, as a version. */
export async function logEnd(server: PostgresServer): Promise<bigint> {
  const [row] = await server.query<{ now: string }>('SELECT pg_current_wal_flush_lsn()::text AS now')
  return versionOf(row?.now ?? '')
}

async function advance(server: PostgresServer, slot: string, lsn: string): Promise<void> {
  await server.query('SELECT pg_catalog.pg_replication_slot_advance($1, $2)', [slot, lsn])
}

/** A log position as one number: `16/B374D848` is 0x16B374D848. */
export function versionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

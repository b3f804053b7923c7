/**
 * Logical replication over plain queries: a slot of the server keeps its log, `test_decoding` shows which rows changed, and
 * the current rows are read by their key. A row that no longer exists is marked as deleted.
 *
 * A slot is advanced only after everything up to there is in the tables. After a kill the same changes are read again, and
 * those that were applied are passed over. While a table is copied, its changes are applied too. They have later versions than
 * the rows of the copy, which are read after the last change that was passed over, so no change is missed.
 */
import { DatabaseError } from 'pg'
import { Refusal } from '../../refusal.ts'
import type { Queries } from '../../store/store.ts'
import { applyChanges, donePrefix } from './applyChanges.ts'
import { changeCollector, type Changed } from './changedRows.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { DestinationTable } from '../loads/destinationTable.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { batchSize, postgresSettings, type PostgresRun } from './postgresRun.ts'
import type { PostgresServer } from './postgresServer.ts'
import { hasBegun } from './postgresCopy.ts'
import { loggedNames, mappedNames, type SourceTable } from './postgresTables.ts'
import { requestReload } from './reload.ts'

/** How changes are found: the replication slot, or the reason for polling. */
export type ReplicationMode =
  | { slot: string }
  /** @param waits whether the reason may go away at any time */
  | { slot: null; reason: string; waits?: boolean }

/** The stored name must not change. */
const replicationCursor = 'way'
const plugin = 'test_decoding'

const noFreeSlot = 'the server has no free replication slot'

/** The server's permanent errors about replication, by SQLSTATE. */
const reasons: Readonly<Record<string, string>> = {
  '55000': 'wal_level of the server is not logical',
  '42501': 'the user may not replicate',
  '58P01': `the server has no ${plugin}`,
}
const configurationLimit = '53400'
const alreadyExists = '42710'
const inUse = '55006'

function ownSlot(pipe: PipeDocument): string {
  return `stack_${pipe.id.replaceAll('-', '_')}`
}

/**
 * How a pipe finds changes. It stays the same until a resync, except while the server has no free slot. The slot exists when
 * this resolves.
 * @param stopCopies stops the copies that run: they began without a slot
 * @throws Refusal 400 for a configured slot that cannot be read
 */
export async function replicationModeOf(run: PostgresRun, stopCopies: () => Promise<void>): Promise<ReplicationMode> {
  const { parts, cursors, pipe } = run
  const known = await cursors.get(parts.store, replicationCursor)
  if (known !== null && known !== `polling ${noFreeSlot}`) return parsedReplicationMode(known)
  const mode = await findReplicationMode(run)
  if (mode.slot === null && mode.waits) return mode
  await stopCopies()
  const text = mode.slot === null ? `polling ${mode.reason}` : `slot ${mode.slot}`
  await parts.store.write(async (transaction) => {
    await cursors.set(transaction, replicationCursor, text)
    // What changed since they were copied without a slot is not known.
    for (const name of mode.slot === null ? [] : mappedNames(pipe)) {
      if (await hasBegun(run, { name }, transaction)) await requestReload(run, name, 'copy', transaction)
    }
  })
  return mode
}

/** Forgets how the pipe finds changes, and where it is in them. */
export async function forgetMode(run: PostgresRun, transaction: Queries): Promise<void> {
  await run.cursors.remove(transaction, replicationCursor)
  await forgetBatch(run, transaction)
}

function parsedReplicationMode(text: string): ReplicationMode {
  const [kind, rest = ''] = text.split(/ (.*)/s)
  return kind === 'slot' ? { slot: rest } : { slot: null, reason: rest }
}

async function findReplicationMode({ pipe, server, signal }: PostgresRun): Promise<ReplicationMode> {
  const given = postgresSettings(pipe).replicationSlotName
  if (given) return givenSlot(server, given)
  try {
    await server.query('SELECT pg_catalog.pg_create_logical_replication_slot($1, $2)', [ownSlot(pipe), plugin], signal)
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (error.code === configurationLimit) return { slot: null, reason: noFreeSlot, waits: true }
    const reason = reasons[error.code ?? '']
    if (reason !== undefined) return { slot: null, reason }
    // Created before a kill: it is older than any copy and can be used.
    if (error.code !== alreadyExists) throw error
  }
  return { slot: ownSlot(pipe) }
}

async function givenSlot(server: PostgresServer, slot: string): Promise<ReplicationMode> {
  const problem = (message: string) => new Refusal(400, `source.postgres.settings.replicationSlotName: ${message}`)
  if (!/^[a-z0-9_]{1,63}$/.test(slot)) throw problem('not the name of a slot')
  const [found] = await server.query<{ plugin: string }>(
    'SELECT plugin FROM pg_catalog.pg_replication_slots WHERE slot_name = $1',
    [slot],
  )
  if (!found) throw problem(`there is no slot ${slot}`)
  if (found.plugin !== plugin) throw problem(`slot ${slot} is one of ${found.plugin}; ${plugin} can be read`)
  return { slot }
}

const dropTries = 10
const dropAgainMs = 500

/** Drops the pipe's slot, so that the server can delete its log. A configured slot stays. */
export async function dropSlot(pipe: PipeDocument, server: PostgresServer, signal: AbortSignal): Promise<void> {
  for (let left = dropTries; ; left--) {
    try {
      await server.query(
        'SELECT pg_catalog.pg_drop_replication_slot(slot_name) FROM pg_catalog.pg_replication_slots WHERE slot_name = $1',
        [ownSlot(pipe)],
      )
      return
    } catch (error) {
      // A cancelled statement holds the slot for a moment.
      if (left === 0 || !(error instanceof DatabaseError) || error.code !== inUse) throw error
      await abortableSleep(dropAgainMs, signal)
    }
  }
}

interface Line extends Record<string, string | null> {
  lsn: string
  data: string
}

/** The end of the batch of changes that is being applied. */
const batchCursor = 'batch'

/** What becomes of tables whose changes cannot be applied. */
export interface Followers {
  /** @throws TableChanged if a table is not as it was described */
  unchanged(): Promise<void>
  /** Call this before the rows of a table are deleted, because it was truncated: nothing else writes to it then. */
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
    const { changed, lines, end } = await readBatch(run, slot, tables, begun ?? now, begun === null ? limit : null)
    if (end === null) break
    // Rows of the batch may have columns that were not there before.
    if (changed.length > 0) await followers.unchanged()
    if (begun === null) await parts.store.write((transaction) => cursors.set(transaction, batchCursor, end))
    for (const one of changed) {
      const { table, isEmptied, isUnclear } = one
      if (isUnclear) {
        await followers.again(table)
        continue
      }
      if (isEmptied) await followers.emptied(table)
      await applyChanges(run, one, targets.get(table) ?? table.target, versionOf(end)).catch((error: unknown) =>
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

async function forgetBatch({ cursors }: PostgresRun, transaction: Queries): Promise<void> {
  await cursors.remove(transaction, batchCursor)
  await cursors.removeBelow(transaction, donePrefix)
}

/** @param limit of the changes, beyond which the last transaction is completed; null for none */
async function readBatch(
  { server, signal }: PostgresRun,
  slot: string,
  tables: ReadonlyMap<string, SourceTable>,
  upTo: string,
  limit: number | null,
): Promise<{ changed: Changed[]; lines: number; end: string | null }> {
  const collector = changeCollector(tables)
  let lines = 0
  let end: string | null = null
  const select = `SELECT lsn::text AS lsn, data FROM pg_catalog.pg_logical_slot_peek_changes('${slot}', '${upTo}', ${limit},
    'include-xids', '0', 'skip-empty-xacts', '1')`
  for await (const portion of server.stream<Line>(select, ({ data }) => data.length, signal)) {
    for (const { lsn, data } of portion) {
      collector.add(data)
      lines++
      end = lsn
    }
  }
  return { changed: collector.changed(), lines, end }
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

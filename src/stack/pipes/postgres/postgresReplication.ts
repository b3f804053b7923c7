/**
 * Logical replication over plain queries: a slot of the server keeps its log, `test_decoding` shows which rows changed, and
 * the current rows are read by their key. A row that no longer exists is marked as deleted.
 *
 * Repeating this is harmless: a row is read again with a later version. So a slot is advanced only after everything up to
 * there is in the table, and after a kill the work is repeated. A slot is older than the initial load of a table, so no
 * change between the two is missed.
 */
import { Refusal } from '../../refusal.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import { applyChanges, changedRows } from './changedRows.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { batchSize, postgresSettings, type PostgresRun } from './postgresRun.ts'
import type { PostgresServer } from './postgresServer.ts'
import type { SourceTable } from './postgresTables.ts'

/** How changes are found: the replication slot, or the reason for polling. */
export type ReplicationMode = { slot: string } | { slot: null; reason: string }

/** The stored name must not change. */
const replicationCursor = 'way'
const plugin = 'test_decoding'

/** The server's permanent errors about replication. */
const reasons: readonly [RegExp, string][] = [
  [/wal_level/, 'wal_level of the server is not logical'],
  [/replication role|permission denied/, 'the user may not replicate'],
  [/slots are in use/, 'the server has no free replication slot'],
  [/could not access file/, `the server has no ${plugin}`],
]

function ownSlot(pipe: PipeDocument): string {
  return `stack_${pipe.id.replaceAll('-', '_')}`
}

/**
 * How a pipe finds changes. It stays the same until a resync. The slot exists when this resolves.
 * @throws Refusal 400 for a configured slot that cannot be read
 */
export async function replicationModeOf(run: PostgresRun): Promise<ReplicationMode> {
  const { parts, cursors } = run
  const known = await cursors.get(parts.store, replicationCursor)
  const mode = known === null ? await findReplicationMode(run) : parsedReplicationMode(known)
  if (known === null) {
    const text = mode.slot === null ? `polling ${mode.reason}` : `slot ${mode.slot}`
    await parts.store.write((transaction) => cursors.set(transaction, replicationCursor, text))
  }
  return mode
}

function parsedReplicationMode(text: string): ReplicationMode {
  const [kind, rest = ''] = text.split(/ (.*)/s)
  return kind === 'slot' ? { slot: rest } : { slot: null, reason: rest }
}

async function findReplicationMode({ pipe, server, signal }: PostgresRun): Promise<ReplicationMode> {
  const given = postgresSettings(pipe).replicationSlotName
  if (given) return givenSlot(server, given)
  try {
    await server.query(
      `SELECT concat(slot_name, '') AS slot FROM pg_create_logical_replication_slot('${ownSlot(pipe)}', '${plugin}')`,
      signal,
    )
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const refusal = reasons.find(([words]) => words.test(error.message))
    if (refusal) return { slot: null, reason: refusal[1] }
    // Created before a kill: it is older than any copy and can be used.
    if (!/already exists/.test(error.message)) throw error
  }
  return { slot: ownSlot(pipe) }
}

async function givenSlot(server: PostgresServer, slot: string): Promise<ReplicationMode> {
  const problem = (message: string) => new Refusal(400, `source.postgres.settings.replicationSlotName: ${message}`)
  if (!/^[a-z0-9_]{1,63}$/.test(slot)) throw problem('not the name of a slot')
  const [found] = await server.query<{ plugin: string }>(
    `SELECT concat(plugin, '') AS plugin FROM pg_replication_slots WHERE slot_name = '${slot}'`,
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
        `SELECT concat(pg_drop_replication_slot(slot_name), '') AS dropped FROM pg_replication_slots WHERE slot_name = '${ownSlot(pipe)}'`,
      )
      return
    } catch (error) {
      // A cancelled statement holds the slot for a moment.
      if (left === 0 || !(error instanceof EngineError) || !/is active/.test(error.message)) throw error
      await abortableSleep(dropAgainMs, signal)
    }
  }
}

interface Line {
  lsn: string
  data: string
}

/** Applies everything that is committed by now, in batches of whole transactions. */
export async function followChanges(run: PostgresRun, slot: string, tables: readonly SourceTable[]): Promise<void> {
  const { parts, pipe, server, signal } = run
  const batch = batchSize(pipe)
  const now = await position(run, slot)
  for (;;) {
    const lines = await server.query<Line>(
      `SELECT concat(lsn, '') AS lsn, data FROM pg_logical_slot_peek_changes('${slot}', '${now}', ${batch}, 'include-xids', '0', 'skip-empty-xacts', '1')`,
      signal,
    )
    const last = lines.at(-1)
    if (!last) break
    const changed = changedRows(
      lines.map((line) => line.data),
      tables,
    )
    await applyChanges(run, changed, versionOf(last.lsn))
    await advance(server, slot, last.lsn)
    if (lines.length < batch) break
  }
  await advance(server, slot, now)
  parts.meter.lag(pipe.id, 0)
}

/** The current end of the server's log. Reports the lag of the slot. */
async function position({ parts, pipe, server }: PostgresRun, slot: string): Promise<string> {
  const [row] = await server.query<{ now: string; behind: string }>(
    `SELECT concat(pg_current_wal_flush_lsn(), '') AS now,
            concat(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), confirmed_flush_lsn), '') AS behind
     FROM pg_replication_slots WHERE slot_name = '${slot}'`,
  )
  if (!row)
    throw new Refusal(
      400,
      `replication slot ${slot} no longer exists, and changes are lost. Resync copies everything again`,
    )
  parts.meter.lag(pipe.id, Number(row.behind) / 2 ** 20)
  return row.now
}

async function advance(server: PostgresServer, slot: string, lsn: string): Promise<void> {
  await server.query(`SELECT concat(end_lsn, '') AS lsn FROM pg_replication_slot_advance('${slot}', '${lsn}')`)
}

/** A log position as one number: `16/B374D848` is 0x16B374D848. */
export function versionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

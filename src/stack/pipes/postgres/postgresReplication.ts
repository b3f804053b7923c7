/**
 * Logical replication without a connection of its own: a slot of the server keeps its log, `test_decoding` tells which rows
 * were changed, and those rows are read anew, by their key, as they are then. A row that is not there any more is marked as gone.
 *
 * Doing that again does no harm: a row is read as it is, under a later version. So a slot is moved on only after everything up
 * to there is in the table, and whatever a kill broke off is done once more. A slot is older than the first copy of a table,
 * so no change is missed between the two.
 */
import { Refusal } from '../../refusal.ts'
import { EngineError } from '../../telemetry/engineError.ts'
import { applyChanges, changedRows } from './changedRows.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { batchSize, postgresSettings, type PostgresRun } from './postgresRun.ts'
import type { PostgresServer } from './postgresServer.ts'
import type { SourceTable } from './postgresTables.ts'

/** How changes are found: the slot that is read, or why there is none. */
export type Way = { slot: string } | { slot: null; reason: string }

const wayCursor = 'way'
const plugin = 'test_decoding'

/** What the server says when it will not replicate for us, whenever it is asked. */
const reasons: readonly [RegExp, string][] = [
  [/wal_level/, 'wal_level of the server is not logical'],
  [/replication role|permission denied/, 'its user may not replicate'],
  [/slots are in use/, 'the server has no replication slot left'],
  [/could not access file/, `the server has no ${plugin}`],
]

function ownSlot(pipe: PipeDocument): string {
  return `stack_${pipe.id.replaceAll('-', '_')}`
}

/**
 * The way of a pipe, which it keeps until it is copied anew. The slot is there when this resolves.
 * @throws Refusal 400 for a slot of the user's that cannot be read
 */
export async function wayOf(run: PostgresRun): Promise<Way> {
  const { parts, cursors } = run
  const known = await cursors.get(parts.store, wayCursor)
  const way = known === null ? await findWay(run) : parsedWay(known)
  if (known === null) {
    const text = way.slot === null ? `polling ${way.reason}` : `slot ${way.slot}`
    await parts.store.write((transaction) => cursors.set(transaction, wayCursor, text))
  }
  return way
}

function parsedWay(text: string): Way {
  const [kind, rest = ''] = text.split(/ (.*)/s)
  return kind === 'slot' ? { slot: rest } : { slot: null, reason: rest }
}

async function findWay({ pipe, server, signal }: PostgresRun): Promise<Way> {
  const given = postgresSettings(pipe).replicationSlotName
  if (given) return givenSlot(server, given)
  try {
    await server.ask(
      `SELECT concat(slot_name, '') AS slot FROM pg_create_logical_replication_slot('${ownSlot(pipe)}', '${plugin}')`,
      signal,
    )
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const refusal = reasons.find(([words]) => words.test(error.message))
    if (refusal) return { slot: null, reason: refusal[1] }
    // Made before a kill: it is older than any copy, and serves as well.
    if (!/already exists/.test(error.message)) throw error
  }
  return { slot: ownSlot(pipe) }
}

async function givenSlot(server: PostgresServer, slot: string): Promise<Way> {
  const problem = (words: string) => new Refusal(400, `source.postgres.settings.replicationSlotName: ${words}`)
  if (!/^[a-z0-9_]{1,63}$/.test(slot)) throw problem('not the name of a slot')
  const [found] = await server.ask<{ plugin: string }>(
    `SELECT concat(plugin, '') AS plugin FROM pg_replication_slots WHERE slot_name = '${slot}'`,
  )
  if (!found) throw problem(`there is no slot ${slot}`)
  if (found.plugin !== plugin) throw problem(`slot ${slot} is one of ${found.plugin}; ${plugin} can be read`)
  return { slot }
}

const dropTries = 10
const dropAgainMs = 500

/** Lets the server forget its log. A slot that the user made stays. */
export async function dropSlot(pipe: PipeDocument, server: PostgresServer, signal: AbortSignal): Promise<void> {
  for (let left = dropTries; ; left--) {
    try {
      await server.ask(
        `SELECT concat(pg_drop_replication_slot(slot_name), '') AS dropped FROM pg_replication_slots WHERE slot_name = '${ownSlot(pipe)}'`,
      )
      return
    } catch (error) {
      // A statement that was broken off holds it for a moment.
      if (left === 0 || !(error instanceof EngineError) || !/is active/.test(error.message)) throw error
      await abortableSleep(dropAgainMs, signal)
    }
  }
}

interface Line {
  lsn: string
  data: string
}

/** Applies everything that was committed by now, in batches of whole transactions. */
export async function followChanges(run: PostgresRun, slot: string, tables: readonly SourceTable[]): Promise<void> {
  const { parts, pipe, server, signal } = run
  const batch = batchSize(pipe)
  const now = await position(run, slot)
  for (;;) {
    const lines = await server.ask<Line>(
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

/** Where the server's log ends now. Says how far the slot is behind. */
async function position({ parts, pipe, server }: PostgresRun, slot: string): Promise<string> {
  const [row] = await server.ask<{ now: string; behind: string }>(
    `SELECT concat(pg_current_wal_flush_lsn(), '') AS now,
            concat(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), confirmed_flush_lsn), '') AS behind
     FROM pg_replication_slots WHERE slot_name = '${slot}'`,
  )
  if (!row) throw new Refusal(400, `the server has no slot ${slot} any more: changes are lost; resync copies all anew`)
  parts.meter.lag(pipe.id, Number(row.behind) / 2 ** 20)
  return row.now
}

async function advance(server: PostgresServer, slot: string, lsn: string): Promise<void> {
  await server.ask(`SELECT concat(end_lsn, '') AS lsn FROM pg_replication_slot_advance('${slot}', '${lsn}')`)
}

/** A place in the log as one number: `16/B374D848` is 0x16B374D848. */
export function versionOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

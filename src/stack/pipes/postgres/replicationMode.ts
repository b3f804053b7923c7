/** How a pipe finds changes: by a replication slot of the server, which it creates and drops, or by polling. */
import { DatabaseError } from 'pg'
import { Refusal } from '../../refusal.ts'
import type { Queries } from '../../store/store.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { hasBegun } from './postgresCopy.ts'
import { forgetBatch } from './postgresReplication.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import { requestReload } from './reload.ts'
import type { PostgresServer } from './source/postgresServer.ts'
import { mappedNames } from './source/postgresTables.ts'

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
    // Changes since they were copied without a slot is not known.
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
  const slotName = postgresSettings(pipe).replicationSlotName
  if (slotName) return existingSlot(server, slotName)
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

async function existingSlot(server: PostgresServer, slot: string): Promise<ReplicationMode> {
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

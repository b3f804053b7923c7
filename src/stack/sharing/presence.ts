/**
 * Which stacks use a database. Each adds to its own count every second. One whose count stays the same for a while has
 * ended, by the observations of whoever watches it: clocks of machines are not compared, and an interruption of the
 * database ends nobody. Whoever notices removes it, with what it had: other stacks take that over. A stack that only
 * stalled finds that it was removed, and joins again with nothing.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Statements } from '#node/database/statements.ts'
import { StoreError } from '#node/database/storeError.ts'
import { certainFor, elapsedSince, endsAfter, MissedBeats, moment, placeOf, type Beat } from '#node/heartbeats.ts'
import type { Store } from '../store/store.ts'

export interface PresenceOptions {
  store: Store
  dataDir: string
  /** What the telemetry engine is called (`engineId`). All stacks on a database have the same one. */
  engine: string
  logger: Pick<Logger, 'warn'>
  /** Milliseconds between two beats. Default: a second. */
  interval?: number
}

export interface Presence {
  /** The ID of this stack as long as its process runs. */
  readonly id: string
  /** How often other stacks took this one for ended. What it had before is lost. */
  readonly losses: number
  /** Whether no other stack can have taken this one for ended by now. */
  isCertain(): boolean
  /** Leaves, so that others take over at once. */
  close(): Promise<void>
}

/**
 * Joins. In a file, whoever was there before has ended; on a server, whoever used the same data directory.
 * @throws StoreError while a stack with another engine uses the database, which is known after ten seconds at most
 */
export async function joinStacks(options: PresenceOptions): Promise<Presence> {
  const { store, dataDir, engine, logger, interval = 1000 } = options
  const id = randomBytes(9).toString('hex')
  const place = placeOf(dataDir)
  let losses = 0
  let beatAt = moment()
  const missed = new MissedBeats()
  let timer: NodeJS.Timeout | undefined
  let beating = Promise.resolve()
  let isClosed = false

  const enter = ({ run }: Statements) =>
    run('INSERT INTO stacks (id, beat, place, engine) VALUES (?, 0, ?, ?)', [id, place, engine])

  async function join(transaction: Statements, seen: Map<string, number>, until: number): Promise<boolean> {
    const others = await transaction.rows('SELECT id, beat, place, engine FROM stacks')
    const different: string[] = []
    for (const other of others) {
      const otherId = String(other['id'])
      if (!store.isShared || other['place'] === place) await remove(transaction, otherId)
      else if (other['engine'] !== engine) {
        const beat = Number(other['beat'])
        if ((seen.get(otherId) ?? beat) !== beat) throw anotherEngine()
        seen.set(otherId, beat)
        different.push(otherId)
      }
    }
    if (different.length > 0 && performance.now() < until) return false
    for (const ended of different) await remove(transaction, ended)
    await enter(transaction)
    return true
  }

  async function beat(): Promise<void> {
    const startedAt = moment()
    try {
      const others = await store.note(async (transaction) => {
        const { run, rows } = transaction
        if ((await run('UPDATE stacks SET beat = beat + 1 WHERE id = ?', [id])) === 0) {
          losses += 1
          logger.warn('Other stacks took this one for ended, and do its tasks now')
          await enter(transaction)
        }
        return rows('SELECT id, beat FROM stacks WHERE id <> ?', [id])
      })
      beatAt = startedAt
      await removeEnded(others.map((row) => ({ id: String(row['id']), beat: Number(row['beat']) })))
    } catch (error) {
      missed.forget()
      if (!isClosed) logger.warn({ err: error }, 'The other stacks on the database are not known')
    }
  }

  /** Each is removed once: the count that it was seen with must still be the stored one. */
  async function removeEnded(others: readonly Beat[]): Promise<void> {
    for (const { id: ended, beat: last } of missed.observe(others)) {
      await store.write(async (transaction) => {
        const found = await transaction.rows('SELECT 1 FROM stacks WHERE id = ? AND beat = ?', [ended, last])
        if (found.length > 0) await remove(transaction, ended)
      })
    }
  }

  function next(): void {
    if (isClosed) return
    timer = setTimeout(() => (beating = beat().finally(next)), interval)
    timer.unref()
  }

  const seen = new Map<string, number>()
  const until = performance.now() + endsAfter * interval
  for (;;) {
    beatAt = moment()
    if (await store.write((transaction) => join(transaction, seen, until))) break
    await sleep(interval / 2)
  }
  if (store.isShared) next()

  return {
    id,
    get losses() {
      return losses
    },
    isCertain() {
      if (!store.isShared) return true
      return elapsedSince(beatAt) < certainFor * interval
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await beating
      await store.write((transaction) => remove(transaction, id)).catch(() => undefined)
    },
  }
}

/** Removes a stack, with everything that it had. */
async function remove({ run }: Statements, id: string): Promise<void> {
  await run('DELETE FROM stacks WHERE id = ?', [id])
  await run('DELETE FROM task_leases WHERE stack_id = ?', [id])
  await run('UPDATE leases SET expires = 0 WHERE holder = ?', [id])
}

function anotherEngine(): StoreError {
  return new StoreError(
    'refused',
    'Another stack uses the records of DATABASE_URL with another telemetry engine. Stacks that share their records need ' +
      'the same server in CLICKHOUSE_URL: each of them would otherwise have a part of the telemetry.',
  )
}

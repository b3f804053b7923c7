/**
 * A process on a database that several of a kind share: the consoles, or the stacks. Each is a row of a table and adds to
 * its own count at an interval. One whose count stays the same for a while has ended, by the observations of whoever watches
 * it: clocks of machines are not compared, and an interruption of the database ends nobody. Whoever notices removes it, and
 * others take over what it had. One that only stalled finds that it was removed.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordDatabase } from '../database/recordDatabase.ts'
import type { Row, Statements, Value } from '../database/statements.ts'
import {
  certainFor,
  elapsedSince,
  endsAfter,
  MissedBeats,
  moment,
  placeOf,
  type Beat,
  type Moment,
} from './heartbeats.ts'

export interface ClusterDependencies {
  /** With the columns `id`, `beat` and `place`, and those of `about`. */
  table: 'consoles' | 'stacks'
  database: Pick<RecordDatabase, 'isShared' | 'rows' | 'transact' | 'transactConcurrently'>
  dataDir: string
  /** Further columns of the row of this member. */
  about: Readonly<Record<string, Value>>
  /** Why this process may not join beside another one, if that one is alive; undefined if it may. */
  conflict: (other: Row) => Error | undefined
  /** Removes what a member had, in the transaction that removes its row. */
  removeOwned?: (transaction: Statements, id: string) => Promise<void>
  /** Called when other members have taken this one for ended. */
  onLoss?: () => void
  /** Whether it then joins again, with nothing. Otherwise it beats no more. */
  rejoins: boolean
  /** Called after each beat. It must not throw. */
  onBeat?: () => unknown
  onError: (error: unknown) => void
  /** Milliseconds between two beats, the same for all members. Default: a second. */
  interval?: number | undefined
}

export class ClusterMember {
  /** As long as the process runs. */
  readonly id = randomBytes(9).toString('hex')
  readonly #interval: number
  readonly #place: string
  readonly #missed = new MissedBeats()
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #beatAt: Moment | undefined
  #lossCount = 0
  #hasLeft = false
  readonly #parts: ClusterDependencies

  constructor(parts: ClusterDependencies) {
    this.#parts = parts
    this.#interval = parts.interval ?? 1_000
    // This data directory on this machine, whose lock a former process no longer has.
    this.#place = placeOf(parts.dataDir)
  }

  /** How often others took this one for ended. What it had before is lost. */
  get losses(): number {
    return this.#lossCount
  }

  /** Whether no other member can have taken this one for ended by now. */
  get isCertain(): boolean {
    if (!this.#parts.database.isShared) return true
    const isOut = this.#lossCount > 0 && !this.#parts.rejoins
    return !isOut && this.#beatAt !== undefined && elapsedSince(this.#beatAt) < certainFor * this.#interval
  }

  /**
   * Joins. In a file, whoever was there before has ended; on a server, whoever used the same data directory.
   * @throws the conflict with a member that is alive, which is known after ten beats at most
   */
  async join(): Promise<void> {
    const { database } = this.#parts
    const watch = this.#watching()
    for (;;) {
      this.#beatAt = moment()
      if (await database.transact((transaction) => this.#tryJoin(transaction, watch))) break
      await sleep(this.#interval / 2)
    }
    if (database.isShared) this.#next()
  }

  /** Whether another member is alive, which is known after ten beats at most. */
  async hasOthers(): Promise<boolean> {
    const { database } = this.#parts
    if (!database.isShared) return false
    const watch = this.#watching()
    for (;;) {
      const others = await this.#others(database)
      if (others.some((other) => watch.hasBeaten(other))) return true
      if (others.length === 0 || watch.isOver()) return false
      await sleep(this.#interval / 2)
    }
  }

  /**
   * Leaves, so that others take over at once.
   * @param finished waits for what still uses its place
   */
  async leave(finished?: () => Promise<void> | undefined): Promise<void> {
    this.#hasLeft = true
    clearTimeout(this.#timer)
    await this.#beating
    await finished?.()
    // Others find out in any case.
    await this.#parts.database.transact((transaction) => this.#remove(transaction, this.id)).catch(() => undefined)
  }

  /** @returns false if it is not known yet whether a member beside which this one may not be is alive */
  async #tryJoin(transaction: Statements, watch: Watch): Promise<boolean> {
    const { table, database, conflict } = this.#parts
    const inDoubt: string[] = []
    for (const row of await transaction.rows(`SELECT * FROM ${table}`)) {
      const other = beatOf(row)
      if (!database.isShared || row['place'] === this.#place) {
        await this.#remove(transaction, other.id)
        continue
      }
      const problem = conflict(row)
      if (!problem) continue
      if (watch.hasBeaten(other)) throw problem
      inDoubt.push(other.id)
    }
    if (inDoubt.length > 0 && !watch.isOver()) return false
    for (const ended of inDoubt) await this.#remove(transaction, ended)
    await this.#enter(transaction)
    return true
  }

  #next(): void {
    if (this.#hasLeft || (this.#lossCount > 0 && !this.#parts.rejoins)) return
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat().finally(() => this.#next())
    }, this.#interval)
    this.#timer.unref()
  }

  async #beat(): Promise<void> {
    const { table, database, onLoss, rejoins, onBeat, onError } = this.#parts
    const startedAt = moment()
    try {
      const others = await database.transactConcurrently(async (transaction) => {
        const { run } = transaction
        if ((await run(`UPDATE ${table} SET beat = beat + 1 WHERE id = ?`, [this.id])) === 0) {
          this.#lossCount += 1
          onLoss?.()
          if (!rejoins) return null
          await this.#enter(transaction)
        }
        return this.#others(transaction)
      })
      if (!others) return
      this.#beatAt = startedAt
      for (const ended of this.#missed.observe(others)) await this.#removeEnded(ended)
    } catch (error) {
      this.#missed.forget()
      if (!this.#hasLeft) onError(error)
      return
    }
    onBeat?.()
  }

  /** Once: the count that it was seen with must still be the stored one. One that was removed itself removes nobody. */
  async #removeEnded({ id, beat }: Beat): Promise<void> {
    const { table, database } = this.#parts
    await database.transact(async (transaction) => {
      const sql = `SELECT 1 FROM ${table} WHERE id = ? AND beat = ? AND EXISTS (SELECT 1 FROM ${table} WHERE id = ?)`
      const found = await transaction.rows(sql, [id, beat, this.id])
      if (found.length > 0) await this.#remove(transaction, id)
    })
  }

  async #remove(transaction: Statements, id: string): Promise<void> {
    await transaction.run(`DELETE FROM ${this.#parts.table} WHERE id = ?`, [id])
    await this.#parts.removeOwned?.(transaction, id)
  }

  async #enter({ run }: Statements): Promise<void> {
    const row: Record<string, Value> = { id: this.id, beat: 0, place: this.#place, ...this.#parts.about }
    const columns = Object.keys(row)
    const sql = `INSERT INTO ${this.#parts.table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    await run(sql, Object.values(row))
  }

  async #others({ rows }: Pick<Statements, 'rows'>): Promise<Beat[]> {
    return (await rows(`SELECT id, beat FROM ${this.#parts.table} WHERE id <> ?`, [this.id])).map(beatOf)
  }

  #watching(): Watch {
    return new Watch(performance.now() + endsAfter * this.#interval)
  }
}

const beatOf = ({ id, beat }: Row): Beat => ({ id: String(id), beat: Number(beat) })

/** Which of the members beat while somebody waits for it. */
class Watch {
  readonly #seen = new Map<string, number>()
  readonly #until: number

  constructor(until: number) {
    this.#until = until
  }

  hasBeaten({ id, beat }: Beat): boolean {
    const before = this.#seen.get(id) ?? beat
    this.#seen.set(id, beat)
    return before !== beat
  }

  isOver(): boolean {
    return performance.now() > this.#until
  }
}

/**
 * Which consoles use a database. Each adds to its own count at an interval. One whose count stays the same for a while has
 * ended, by the observations of whoever watches it: clocks of machines are not compared, and an interruption of the
 * database ends nobody. Whoever notices removes it, and what it owned can be taken over. A console that only stalled
 * finds that it was removed, and is not used any more; it sends no writes from before the others may have noticed.
 * A newer version that updates the database replaces the consoles of earlier ones in the same way.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Statements } from '#node/database/statements.ts'
import {
  certainFor,
  elapsedSince,
  endsAfter,
  MissedBeats,
  moment,
  placeOf,
  type Beat,
  type Moment,
} from '#node/heartbeats.ts'
import { UnusableState } from '#node/stateFile.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database } from '../database/database.ts'
import { OwnWrites, replaced } from './ownWrites.ts'

export interface PresenceParts {
  database: Database
  dataDir: string
  onError: (error: unknown) => void
  /** Milliseconds between two beats, the same for all consoles of a database. Default: a second. */
  beat?: number | undefined
  /** For a command that no console may run beside. */
  isAlone?: boolean
}

interface OtherConsole extends Beat {
  isAlone: boolean
}

type Listener = () => Promise<void>

export class Presence {
  readonly id = randomBytes(9).toString('hex')
  /** The writes to what this console owns. */
  readonly ownWrites: OwnWrites
  private readonly listeners: Listener[] = []
  private timer: NodeJS.Timeout | undefined
  private beating: Promise<void> = Promise.resolve()
  private listening: Promise<void> | undefined
  private isClosed = false
  private hasLost = false
  private beatAt: Moment | undefined
  private readonly missed = new MissedBeats()
  private readonly interval: number

  constructor(private readonly parts: PresenceParts) {
    this.interval = parts.beat ?? 1_000
    this.ownWrites = new OwnWrites(parts.database, this.id)
  }

  /** Another console has taken this one for ended, and uses the database now. */
  get isReplaced(): boolean {
    return this.hasLost
  }

  /**
   * Joins. In a file, whoever was there before has ended.
   * @throws UnusableState beside a command that has to be alone, or for one beside a console, which is known after ten
   * beats at most
   */
  async open(): Promise<void> {
    const { database } = this.parts
    if (!database.isShared) {
      const join = { sql: 'INSERT INTO consoles (id, beat) VALUES (?, 0)', args: [this.id] }
      await database.write({ sql: 'DELETE FROM consoles' }, join)
      return
    }
    const seen = new Map<string, number>()
    const until = performance.now() + endsAfter * this.interval
    let isIn = false
    while (!isIn) {
      this.beatAt = moment()
      isIn = await database.transact((transaction) => this.join(transaction, seen, until))
      if (!isIn) await sleep(this.interval / 2)
    }
    this.next()
  }

  /** Whether no other console takes this one for ended. */
  get isSure(): boolean {
    if (!this.parts.database.isShared) return true
    const since = this.beatAt ? elapsedSince(this.beatAt) : Infinity
    return !this.hasLost && since <= certainFor * this.interval
  }

  /**
   * Asked right before a write is sent.
   * @throws unavailable if others may have taken this console for ended: its writes may have been judged by what was stored
   */
  refuseIfReplaced(): void {
    if (this.hasLost) throw replaced()
    if (!this.isSure)
      throw failure('unavailable', 'This console did not reach its database for a while. Nothing was sent.')
  }

  /** Whether another console works now, which is known after ten beats at most. */
  async hasOthers(): Promise<boolean> {
    const { database } = this.parts
    if (!database.isShared) return false
    const seen = new Map<string, number>()
    const until = performance.now() + endsAfter * this.interval
    for (;;) {
      const others = await this.others(database)
      if (others.some(({ id, beat }) => (seen.get(id) ?? beat) !== beat)) return true
      if (others.length === 0 || performance.now() > until) return false
      for (const { id, beat } of others) seen.set(id, beat)
      await sleep(this.interval / 2)
    }
  }

  /** Calls a listener after each beat, about every second, if other consoles may change what it looks at. It must not throw. */
  everyBeat(listener: Listener): void {
    this.listeners.push(listener)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    await this.beating
    await this.listening
    // The next one need not wait until it is sure.
    await this.parts.database.write({ sql: 'DELETE FROM consoles WHERE id = ?', args: [this.id] }).catch(() => {})
  }

  /** @returns whether it has joined; false if it is not known yet whether another console is alive */
  private async join(transaction: Statements, seen: Map<string, number>, until: number): Promise<boolean> {
    const { run } = transaction
    const { isAlone = false } = this.parts
    await run('DELETE FROM consoles WHERE place = ?', [this.place])
    const others = (await this.others(transaction)).filter((one) => isAlone || one.isAlone)
    if (others.some(({ id, beat }) => (seen.get(id) ?? beat) !== beat)) throw isAlone ? inUse() : beingChanged()
    for (const { id, beat } of others) seen.set(id, beat)
    if (others.length > 0 && performance.now() < until) return false
    for (const { id } of others) await run('DELETE FROM consoles WHERE id = ?', [id])
    await this.enter(transaction)
    return true
  }

  private next(): void {
    if (this.isClosed || this.hasLost) return
    this.timer = setTimeout(() => {
      this.beating = this.beat()
        .catch(this.parts.onError)
        .finally(() => this.next())
    }, this.interval)
    this.timer.unref()
  }

  private async beat(): Promise<void> {
    const startedAt = moment()
    try {
      const others = await this.parts.database.note(async (transaction) => {
        // It does not enter again: what this one owned may have been taken over.
        this.hasLost = (await transaction.run('UPDATE consoles SET beat = beat + 1 WHERE id = ?', [this.id])) === 0
        return this.others(transaction)
      })
      if (this.hasLost) return
      this.beatAt = startedAt
      await this.removeEnded(others)
    } catch (error) {
      this.missed.forget()
      throw error
    }
    // A beat does not wait for what others left.
    this.listening ??= this.listen().finally(() => (this.listening = undefined))
  }

  private async listen(): Promise<void> {
    for (const listener of this.listeners) if (!this.hasLost && !this.isClosed) await listener()
  }

  /** Each is removed once: the count that it was seen with must still be the stored one. */
  private async removeEnded(others: readonly Beat[]): Promise<void> {
    for (const { id, beat } of this.missed.observe(others)) {
      await this.ownWrites.write({ sql: 'DELETE FROM consoles WHERE id = ? AND beat = ?', args: [id, beat] })
    }
  }

  private async enter({ run }: Statements): Promise<void> {
    await run('INSERT INTO consoles (id, beat, place, alone) VALUES (?, 0, ?, ?)', [
      this.id,
      this.place,
      this.parts.isAlone ? 1 : 0,
    ])
  }

  private async others({ rows }: Pick<Statements, 'rows'>): Promise<OtherConsole[]> {
    const found = await rows('SELECT id, beat, alone FROM consoles WHERE id <> ?', [this.id])
    return found.map(({ id, beat, alone }) => ({ id: String(id), beat: Number(beat), isAlone: Number(alone) === 1 }))
  }

  /** This data directory on this machine, whose lock the former console no longer has. */
  private get place(): string {
    return placeOf(this.parts.dataDir)
  }
}

function inUse(): UnusableState {
  return new UnusableState(
    'A console uses the database of CONSOLE_DATABASE_URL. Stop all consoles of this database, and try again.',
  )
}

function beingChanged(): UnusableState {
  return new UnusableState(
    'A command changes the database of CONSOLE_DATABASE_URL now. Start the console again once that is done.',
  )
}

/**
 * Which consoles use a database. Each adds to its own count every second. One whose count stays the same for a while has
 * ended, by the clock of whoever watches it: clocks of machines are not compared, and an interruption of the database
 * ends nobody. Runs, the journal and rate limits are kept by one console, so a second one is refused.
 */
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Statements } from '#node/database/statements.ts'
import { UnusableState } from '#node/stateFile.ts'
import type { Database } from '../database/database.ts'

/** Milliseconds between two beats. */
const interval = 1_000
/** Milliseconds without a beat after which a console has ended. Longer than any pause of a process that works. */
const endsAfter = 10_000

export interface PresenceParts {
  database: Database
  dataDir: string
  onError: (error: unknown) => void
  /** For the specs of what consoles share already. */
  allowsOthers?: boolean | undefined
}

interface Beat {
  id: string
  beat: number
}

type Listener = () => Promise<void>

export class Presence {
  readonly id = randomBytes(9).toString('hex')
  private readonly listeners: Listener[] = []
  private timer: NodeJS.Timeout | undefined
  private beating: Promise<void> = Promise.resolve()
  private isClosed = false
  private hasLost = false

  constructor(private readonly parts: PresenceParts) {}

  /** Another console has taken this one for ended, and uses the database now. */
  get isReplaced(): boolean {
    return this.hasLost
  }

  /**
   * Joins. In a file, whoever was there before has ended.
   * @throws UnusableState while another console uses the database, which is known after ten seconds at most
   */
  async open(): Promise<void> {
    const { database } = this.parts
    if (!database.isShared) {
      const join = { sql: 'INSERT INTO consoles (id, beat) VALUES (?, 0)', args: [this.id] }
      await database.write({ sql: 'DELETE FROM consoles' }, join)
      return
    }
    const seen = new Map<string, number>()
    const until = performance.now() + endsAfter
    while (!(await database.transact((transaction) => this.join(transaction, seen, until)))) await sleep(interval / 2)
    this.next()
  }

  /** Calls a listener about every second, if other consoles may change what it looks at. */
  everySecond(listener: Listener): void {
    this.listeners.push(listener)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    await this.beating
    // The next one need not wait until it is sure.
    await this.parts.database.write({ sql: 'DELETE FROM consoles WHERE id = ?', args: [this.id] }).catch(() => {})
  }

  /** @returns whether it has joined; false if it is not known yet whether another console is alive */
  private async join(transaction: Statements, seen: Map<string, number>, until: number): Promise<boolean> {
    const { run } = transaction
    const { allowsOthers = false } = this.parts
    await run('DELETE FROM consoles WHERE place = ?', [this.place])
    const others = await this.others(transaction)
    if (!allowsOthers) {
      if (others.some(({ id, beat }) => (seen.get(id) ?? beat) !== beat)) throw inUse()
      for (const { id, beat } of others) seen.set(id, beat)
      if (others.length > 0 && performance.now() < until) return false
      await run('DELETE FROM consoles')
    }
    await this.enter(transaction)
    return true
  }

  private next(): void {
    if (this.isClosed || this.hasLost) return
    this.timer = setTimeout(() => {
      this.beating = this.beat()
        .catch(this.parts.onError)
        .finally(() => this.next())
    }, interval)
    this.timer.unref()
  }

  private async beat(): Promise<void> {
    await this.parts.database.note(async (transaction) => {
      if ((await transaction.run('UPDATE consoles SET beat = beat + 1 WHERE id = ?', [this.id])) > 0) return
      this.hasLost = !this.parts.allowsOthers && (await this.others(transaction)).length > 0
      if (!this.hasLost) await this.enter(transaction)
    })
    for (const listener of this.listeners) if (!this.hasLost) await listener()
  }

  private async enter({ run }: Statements): Promise<void> {
    await run('INSERT INTO consoles (id, beat, place) VALUES (?, 0, ?)', [this.id, this.place])
  }

  private async others({ rows }: Statements): Promise<Beat[]> {
    const found = await rows('SELECT id, beat FROM consoles WHERE id <> ?', [this.id])
    return found.map(({ id, beat }) => ({ id: String(id), beat: Number(beat) }))
  }

  /** This data directory on this machine, whose lock the former console no longer has. */
  private get place(): string {
    return createHash('sha256')
      .update(`${hostname()} ${resolve(this.parts.dataDir)}`)
      .digest('base64url')
  }
}

function inUse(): UnusableState {
  return new UnusableState(
    'Another console uses the database of CONSOLE_DATABASE_URL. Stop that one, or give this one a database of its own ' +
      '(CONSOLE_DATABASE_URL=file: the file in DATA_DIR).',
  )
}

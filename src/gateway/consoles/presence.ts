/**
 * Which consoles use a database. Each adds to its own count every second. One whose count stays the same for a while has
 * ended, by the clock of whoever watches it: clocks of machines are not compared, and an interruption of the database
 * ends nobody. What a console began and did not finish belongs to it as long as it is in the table.
 */
import { randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'

/** Milliseconds between two beats. */
const interval = 1_000
/** Milliseconds without a beat after which a console has ended. Longer than any pause of a process that works. */
const endsAfter = 10_000

interface Watched {
  beat: number
  /** By `performance.now()`. */
  since: number
}

type Listener = () => Promise<void>

export class Presence {
  readonly id = randomBytes(9).toString('hex')
  private readonly watched = new Map<string, Watched>()
  private readonly listeners: Listener[] = []
  private timer: NodeJS.Timeout | undefined
  private beating: Promise<void> = Promise.resolve()
  private isClosed = false
  private count = 1

  constructor(
    private readonly database: Database,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Joins. In a file, whoever was there before has ended. */
  async open(): Promise<void> {
    const before = this.database.isShared ? [] : [{ sql: 'DELETE FROM consoles' }]
    await this.database.write(...before, { sql: 'INSERT INTO consoles (id, beat) VALUES (?, 0)', args: [this.id] })
    if (!this.database.isShared) return
    await this.beat()
    this.next()
  }

  /** Consoles that use the database, with this one. */
  get consoles(): number {
    return this.count
  }

  /** Calls a listener about every second, if other consoles may change what it looks at. */
  everySecond(listener: Listener): void {
    this.listeners.push(listener)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    await this.beating
    // The others need not wait until they notice.
    await this.database.write({ sql: 'DELETE FROM consoles WHERE id = ?', args: [this.id] }).catch(() => {})
  }

  private next(): void {
    if (this.isClosed) return
    this.timer = setTimeout(() => {
      this.beating = this.beat()
        .then(() => this.tell())
        .catch((error: unknown) => {
          // What was not seen meanwhile says nothing about the others.
          this.watched.clear()
          this.onError(error)
        })
        .finally(() => this.next())
    }, interval)
    this.timer.unref()
  }

  private async beat(): Promise<void> {
    const ended = await this.database.note(async ({ rows, run }) => {
      // Whoever took this console for ended was wrong: what was left to others is theirs.
      await run(
        'INSERT INTO consoles (id, beat) VALUES (?, 0) ON CONFLICT (id) DO UPDATE SET beat = consoles.beat + 1',
        [this.id],
      )
      return this.watch(await rows('SELECT id, beat FROM consoles'))
    })
    if (ended.length === 0) return
    const args = ended.flatMap(({ id, beat }) => [id, beat])
    const which = ended.map(() => '(id = ? AND beat = ?)').join(' OR ')
    await this.database.write({ sql: `DELETE FROM consoles WHERE ${which}`, args })
  }

  /** @returns those that have ended */
  private watch(rows: readonly Readonly<Record<string, unknown>>[]): { id: string; beat: number }[] {
    const now = performance.now()
    const present = rows.map(({ id, beat }) => ({ id: String(id), beat: Number(beat) }))
    for (const known of this.watched.keys()) if (!present.some(({ id }) => id === known)) this.watched.delete(known)
    for (const { id, beat } of present) {
      if (this.watched.get(id)?.beat !== beat) this.watched.set(id, { beat, since: now })
    }
    const ended = present.filter(({ id }) => id !== this.id && now - (this.watched.get(id)?.since ?? now) >= endsAfter)
    this.count = present.length - ended.length
    return ended
  }

  private async tell(): Promise<void> {
    for (const listener of this.listeners) await listener()
  }
}

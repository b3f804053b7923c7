/**
 * Which consoles use a database: see `ClusterMember`. A console that was taken for ended is not used any more; it sends no
 * writes from before the others may have noticed. A newer version that updates the database replaces the consoles of
 * earlier ones in the same way.
 */
import { ClusterMember } from '#node/cluster/clusterMember.ts'
import { UnusableState } from '#node/files/atomicFile.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database } from '../database/database.ts'
import { OwnWrites, consoleReplacedError } from './ownWrites.ts'

export interface PresenceDependencies {
  database: Database
  dataDir: string
  onError: (error: unknown) => void
  /** Milliseconds between two beats, the same for all consoles of a database. Default: a second. */
  beat?: number | undefined
  /** For a command that no console may run beside. */
  isAlone?: boolean
}

type Listener = () => Promise<void>

export class Presence {
  readonly id: string
  /** The writes to what this console owns. */
  readonly ownWrites: OwnWrites
  readonly #member: ClusterMember
  readonly #listeners: Listener[] = []
  #listening: Promise<void> | undefined
  #isClosed = false

  constructor({ database, dataDir, onError, beat, isAlone = false }: PresenceDependencies) {
    this.#member = new ClusterMember({
      table: 'consoles',
      database,
      dataDir,
      about: { alone: isAlone ? 1 : 0 },
      conflict: (other) => (isAlone ? inUse() : Number(other['alone']) === 1 ? beingChanged() : undefined),
      // Work that this console owned may have been taken over.
      rejoins: false,
      // A beat does not wait for what others left.
      onBeat: () => (this.#listening ??= this.#listen().finally(() => (this.#listening = undefined))),
      onError,
      interval: beat,
    })
    this.id = this.#member.id
    this.ownWrites = new OwnWrites(database, this.id)
  }

  /** Another console has taken this one for ended, and uses the database now. */
  get isReplaced(): boolean {
    return this.#member.losses > 0
  }

  /** Whether no other console takes this one for ended. */
  get isSure(): boolean {
    return this.#member.isCertain
  }

  /** Joins. @throws UnusableState beside a command that has to be alone, or for one beside a console */
  open(): Promise<void> {
    return this.#member.join()
  }

  /**
   * Asked right before a write is sent.
   * @throws unavailable if other consoles may already count this one as ended, and may have written what it would now overwrite
   */
  refuseIfReplaced(): void {
    if (this.isReplaced) throw consoleReplacedError()
    if (!this.isSure)
      throw failure('unavailable', 'This console did not reach its database for a while. Nothing was sent.')
  }

  /** Whether another console works now, which is known after ten beats at most. */
  hasOthers(): Promise<boolean> {
    return this.#member.hasOthers()
  }

  /** Calls a listener after each beat, about every second, if other consoles may change what it looks at. It must not throw. */
  everyBeat(listener: Listener): void {
    this.#listeners.push(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#member.leave(() => this.#listening)
  }

  async #listen(): Promise<void> {
    for (const listener of this.#listeners) if (!this.isReplaced && !this.#isClosed) await listener()
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

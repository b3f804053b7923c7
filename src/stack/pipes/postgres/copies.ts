/**
 * The copies of whole tables, which run beside the changes of all tables. A copy only stores how far it is: what begins it is
 * done between two batches of changes, and so is what completes it (`postgresCycle.ts`).
 */
import { once } from 'node:events'
import { DatabaseError } from 'pg'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PostgresRun } from './postgresRun.ts'
import type { SourceTable } from './source/postgresTables.ts'
import { hasOtherColumns, TableChanged } from './tableLoader.ts'

interface Copy {
  table: SourceTable
  /** Description of the copy with its progress, for the state of the pipe. */
  detail: string
  isComplete: boolean
  stop: AbortController
  /** Never rejects. */
  over: Promise<void>
}

/** @param progress called with the finished parts and all parts */
type CopyWork = (run: PostgresRun, progress: (done: number, all: number) => Promise<void>) => Promise<void>

/** Why a wait ended: the interval is over, or copies have ended, all of them complete or not. */
type End = 'interval' | 'complete' | 'incomplete'

/** An error of the server that says something about a table, such as a missing permission. */
export function isOfTable(error: unknown): error is Error {
  return error instanceof DatabaseError && (error.code ?? '').startsWith('42')
}

/** Whether a table of the source was changed while its rows were read. */
export function isTableChanged(error: unknown): boolean {
  return error instanceof TableChanged || (error instanceof Error && error.cause instanceof TableChanged)
}

export class Copies {
  readonly #run: PostgresRun
  readonly #say: () => Promise<void>
  readonly #copies = new Map<string, Copy>()
  readonly #failures = new Map<string, Error>()
  /** The error of a copy that stops the pipe. */
  #fatal: { error: unknown } | null = null
  #interval: { isOver: boolean } | null = null
  #isAnyIncomplete = false
  /** Fires when a copy ends, or the interval. */
  #ended = new AbortController()

  /** @param say called when what the copies do has changed */
  constructor(run: PostgresRun, say: () => Promise<void>) {
    this.#run = run
    this.#say = say
  }

  /** Begins to copy a table that is not being copied. @param detail the message for people */
  start(table: SourceTable, detail: string, work: CopyWork): void {
    const copy: Copy = { table, detail, isComplete: false, stop: new AbortController(), over: Promise.resolve() }
    this.#copies.set(table.name, copy)
    copy.over = this.#carryOut(copy, work)
  }

  /** Stops a copy. When this resolves, nothing of it is running. */
  async stop(name: string): Promise<void> {
    const copy = this.#copies.get(name)
    if (!copy) return
    copy.stop.abort()
    await copy.over
    this.#copies.delete(name)
  }

  /** Stops all copies but those of these tables, as they are described here. */
  async stopOthers(tables: readonly SourceTable[]): Promise<void> {
    const kept = new Map(tables.map((table) => [table.name, JSON.stringify(table)]))
    const others = [...this.#copies.values()].filter(({ table }) => kept.get(table.name) !== JSON.stringify(table))
    await Promise.all(others.map(({ table }) => this.stop(table.name)))
  }

  stopAll(): Promise<void> {
    return this.stopOthers([])
  }

  /** Whether a copy runs, or is complete and not forgotten. */
  has(name: string): boolean {
    return this.#copies.has(name)
  }

  /** How many are not complete. */
  running(): number {
    return this.#incomplete().length
  }

  /** Descriptions of the copies that are not complete. */
  details(): string[] {
    return this.#incomplete().map(({ detail }) => detail)
  }

  /** The tables of which all rows are copied, until the copy is forgotten. */
  complete(): SourceTable[] {
    return [...this.#copies.values()].filter(({ isComplete }) => isComplete).map(({ table }) => table)
  }

  forget({ name }: SourceTable): void {
    this.#copies.delete(name)
  }

  /** The reasons why tables could not be read, by their names. They are not copied again before `forgetFailures`. */
  failures(): ReadonlyMap<string, Error> {
    return this.#failures
  }

  forgetFailures(): void {
    this.#failures.clear()
  }

  /**
   * Waits until an interval is over or a copy ends. An interval that is not over goes on with the next call.
   * @throws the error of a copy that stops the pipe
   */
  async wait(ms: number): Promise<End> {
    this.#interval ??= this.#beginInterval(ms)
    if (!this.#ended.signal.aborted) await once(this.#ended.signal, 'abort')
    this.#run.signal.throwIfAborted()
    if (this.#fatal) throw this.#fatal.error
    const end = this.#interval.isOver ? 'interval' : this.#isAnyIncomplete ? 'incomplete' : 'complete'
    if (this.#interval.isOver) this.#interval = null
    this.#isAnyIncomplete = false
    this.#ended = new AbortController()
    return end
  }

  #incomplete(): Copy[] {
    return [...this.#copies.values()].filter(({ isComplete }) => !isComplete)
  }

  async #carryOut(copy: Copy, work: CopyWork): Promise<void> {
    const { table, detail, stop } = copy
    const signal = AbortSignal.any([this.#run.signal, stop.signal])
    try {
      let progress = detail
      const sayWaiting = (what: string | null) => {
        copy.detail = what === null ? progress : `${progress}, ${what}`
        return this.#say()
      }
      await work({ ...this.#run, signal, sayWaiting }, (done, all) => {
        progress = `${detail}: ${done} of ${all} parts`
        return sayWaiting(null)
      })
      signal.throwIfAborted()
      copy.isComplete = true
    } catch (error) {
      if (signal.aborted) return
      if (!isTableChanged(error)) await this.#noteFailure(table, error, signal)
      this.#copies.delete(table.name)
      this.#isAnyIncomplete = true
    }
    this.#ended.abort()
  }

  async #noteFailure(table: SourceTable, error: unknown, signal: AbortSignal): Promise<void> {
    if (!isOfTable(error)) {
      this.#fatal ??= { error }
      return
    }
    try {
      // Statements with its earlier columns fail, too.
      const isOther = await hasOtherColumns(this.#run, table)
      // A copy that was stopped meanwhile says nothing about the table.
      if (!isOther && !signal.aborted) this.#failures.set(table.name, error)
    } catch (later) {
      if (!signal.aborted) this.#fatal ??= { error: later }
    }
  }

  #beginInterval(ms: number): { isOver: boolean } {
    const begun = { isOver: false }
    const over = async () => {
      // Ends when the run does, too.
      await abortableSleep(ms, this.#run.signal).catch(() => {})
      begun.isOver = true
      this.#ended.abort()
    }
    void over()
    return begun
  }
}

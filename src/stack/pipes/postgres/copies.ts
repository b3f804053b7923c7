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

export interface Copies {
  /** Begins to copy a table that is not being copied. @param detail the message for people */
  start(table: SourceTable, detail: string, work: CopyWork): void
  /** Stops a copy. When this resolves, nothing of it is running. */
  stop(name: string): Promise<void>
  /** Stops all copies but those of these tables, as they are described here. */
  stopOthers(tables: readonly SourceTable[]): Promise<void>
  stopAll(): Promise<void>
  /** Whether a copy runs, or is complete and not forgotten. */
  has(name: string): boolean
  /** How many are not complete. */
  running(): number
  /** The tables of which all rows are copied, until the copy is forgotten. */
  complete(): SourceTable[]
  forget(table: SourceTable): void
  /** The reasons why tables could not be read, by their names. They are not copied again before `forgetFailures`. */
  failures(): ReadonlyMap<string, Error>
  forgetFailures(): void
  /** Descriptions of the copies that are not complete. */
  details(): string[]
  /**
   * Waits until an interval is over or a copy ends. An interval that is not over goes on with the next call.
   * @throws the error of a copy that stops the pipe
   */
  wait(ms: number): Promise<End>
}

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

/** @param say called when what the copies do has changed */
export function copiesOf(run: PostgresRun, say: () => Promise<void>): Copies {
  const copies = new Map<string, Copy>()
  const failures = new Map<string, Error>()
  let fatal: { error: unknown } | null = null
  let interval: { isOver: boolean } | null = null
  let isAnyIncomplete = false
  /** Fires when a copy ends, or the interval. */
  let ended = new AbortController()

  async function carryOut(copy: Copy, work: CopyWork): Promise<void> {
    const { table, detail, stop } = copy
    const { name } = table
    const signal = AbortSignal.any([run.signal, stop.signal])
    try {
      let progress = detail
      const sayWaiting = (what: string | null) => {
        copy.detail = what === null ? progress : `${progress}, ${what}`
        return say()
      }
      await work({ ...run, signal, sayWaiting }, (done, all) => {
        progress = `${detail}: ${done} of ${all} parts`
        return sayWaiting(null)
      })
      signal.throwIfAborted()
      copy.isComplete = true
    } catch (error) {
      if (signal.aborted) return
      if (!isTableChanged(error)) await noteFailure(table, error, signal)
      copies.delete(name)
      isAnyIncomplete = true
    }
    ended.abort()
  }

  async function noteFailure(table: SourceTable, error: unknown, signal: AbortSignal): Promise<void> {
    if (!isOfTable(error)) {
      fatal ??= { error }
      return
    }
    try {
      // Statements with its earlier columns fail, too.
      const isOther = await hasOtherColumns(run, table)
      // A copy that was stopped meanwhile says nothing about the table.
      if (!isOther && !signal.aborted) failures.set(table.name, error)
    } catch (later) {
      if (!signal.aborted) fatal ??= { error: later }
    }
  }

  function beginInterval(ms: number): { isOver: boolean } {
    const begun = { isOver: false }
    const over = async () => {
      // Ends when the run does, too.
      await abortableSleep(ms, run.signal).catch(() => {})
      begun.isOver = true
      ended.abort()
    }
    void over()
    return begun
  }

  async function stop(name: string): Promise<void> {
    const copy = copies.get(name)
    if (!copy) return
    copy.stop.abort()
    await copy.over
    copies.delete(name)
  }

  async function stopOthers(tables: readonly SourceTable[]): Promise<void> {
    const kept = new Map(tables.map((table) => [table.name, JSON.stringify(table)]))
    const others = [...copies.values()].filter(({ table }) => kept.get(table.name) !== JSON.stringify(table))
    await Promise.all(others.map(({ table }) => stop(table.name)))
  }

  return {
    start(table, detail, work) {
      const copy: Copy = { table, detail, isComplete: false, stop: new AbortController(), over: Promise.resolve() }
      copies.set(table.name, copy)
      copy.over = carryOut(copy, work)
    },
    stop,
    stopOthers,
    stopAll: () => stopOthers([]),
    has: (name) => copies.has(name),
    running: () => [...copies.values()].filter(({ isComplete }) => !isComplete).length,
    complete: () => [...copies.values()].filter(({ isComplete }) => isComplete).map(({ table }) => table),
    forget: ({ name }) => void copies.delete(name),
    failures: () => failures,
    forgetFailures: () => failures.clear(),
    details: () => [...copies.values()].filter(({ isComplete }) => !isComplete).map(({ detail }) => detail),
    async wait(ms) {
      interval ??= beginInterval(ms)
      if (!ended.signal.aborted) await once(ended.signal, 'abort')
      run.signal.throwIfAborted()
      if (fatal) throw fatal.error
      const end = interval.isOver ? 'interval' : isAnyIncomplete ? 'incomplete' : 'complete'
      if (interval.isOver) interval = null
      isAnyIncomplete = false
      ended = new AbortController()
      return end
    },
  }
}

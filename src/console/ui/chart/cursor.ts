/** The time that is pointed at: one store a chart, or one shared by all charts with the same name. */
import { useEffect, useMemo, useSyncExternalStore } from 'react'

export interface Cursor {
  /** Epoch milliseconds of a bucket; null while nothing is pointed at. */
  time: number | null
  /** The chart that is pointed at: only it shows the tooltip. */
  owner: string | null
  /** The tooltip stays until it is closed. */
  pinned: boolean
  /** The series next to the pointer. */
  nearest: string | null
}

const nothing: Cursor = { time: null, owner: null, pinned: false, nearest: null }

export class CursorStore {
  #cursor = nothing
  #listeners = new Set<() => void>()

  readonly get = (): Cursor => this.#cursor

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells nobody when nothing changed: a pointer moves many times within one bucket. */
  set(cursor: Partial<Cursor>): void {
    const next = { ...this.#cursor, ...cursor }
    const keys = Object.keys(nothing) as (keyof Cursor)[] // `nothing` has every key of a Cursor
    if (keys.every((key) => next[key] === this.#cursor[key])) return
    this.#cursor = next
    for (const listener of this.#listeners) listener()
  }

  clear(): void {
    this.set(nothing)
  }
}

const shared = new Map<string, { store: CursorStore; users: number }>()

/** A store of the chart's own, or the one that all mounted charts with this name share. */
export function useCursorStore(syncId: string | undefined): CursorStore {
  const own = useMemo(() => new CursorStore(), [])
  const store = syncId === undefined ? own : sharedStore(syncId)
  useEffect(() => {
    const entry = syncId === undefined ? undefined : shared.get(syncId)
    if (!entry || syncId === undefined) return undefined
    entry.users++
    return () => {
      if (--entry.users === 0) shared.delete(syncId)
    }
  }, [syncId])
  return store
}

function sharedStore(name: string): CursorStore {
  const entry = shared.get(name) ?? { store: new CursorStore(), users: 0 }
  shared.set(name, entry)
  return entry.store
}

export function useCursor(store: CursorStore): Cursor {
  return useSyncExternalStore(store.subscribe, store.get)
}

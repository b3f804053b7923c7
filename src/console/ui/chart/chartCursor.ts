/** Where the pointer is on a chart. Charts with the same ID share it: the cursor of all of them follows. */
import { useMemo } from 'react'

export interface CursorPlace {
  /** ID of the chart that the pointer is on. */
  chart: string
  /** Where the bucket is drawn, epoch milliseconds. */
  time: number
  /** Pixels from the top of that chart. */
  y: number
}

/** Tells its listeners only: a move renders what follows the pointer, and not the chart. */
export class ChartCursor {
  #place: CursorPlace | null = null
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly place = (): CursorPlace | null => this.#place

  moveTo(place: CursorPlace): void {
    this.#set(place)
  }

  /** The pointer left a chart, or its plot. */
  leave(chart: string): void {
    if (this.#place?.chart === chart) this.#set(null)
  }

  #set(place: CursorPlace | null): void {
    this.#place = place
    for (const listener of this.#listeners) listener()
  }
}

const shared = new Map<string, ChartCursor>()

/** The cursor of all charts with an ID, or of one chart. */
export function useChartCursor(syncId: string | undefined): ChartCursor {
  return useMemo(() => {
    const cursor = (syncId === undefined ? undefined : shared.get(syncId)) ?? new ChartCursor()
    if (syncId !== undefined) shared.set(syncId, cursor)
    return cursor
  }, [syncId])
}

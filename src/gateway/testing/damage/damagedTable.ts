/** For specs: a sound and a damaged row of a table, and what the store makes of them. */
import { currentTime } from '#node/clock/wallClock.ts'

export interface DamagedTable {
  /** Adds the rows. */
  plant(): Promise<unknown>
  /** `SET` and `WHERE` of the statement that damages one of them. */
  damage: string
  /** The rows that the store reads of both. */
  read(): Promise<unknown>
  expected: unknown
  /** A column of a server has text only: there, such a row cannot be damaged. */
  onlyInFiles?: true
}

export const both = ['sound', 'damaged'] as const

/** One after the other. */
export async function eachOf<T>(add: (id: (typeof both)[number]) => Promise<T>): Promise<T[]> {
  const added: T[] = []
  for (const id of both) added.push(await add(id))
  return added
}

/** Values that a text column of a file accepts and no reader expects. */
export const bytes = "X'00ff'"

/** When the rows were written. */
export const at = new Date(currentTime()).toISOString()

/** Nothing is done within the same transaction. */
export const none = async () => {}

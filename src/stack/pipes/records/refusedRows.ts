/**
 * Finds the records that can be read and that the table refuses, such as those that violate a constraint. No list of errors
 * says so: if another record goes through the same statement, it is the record, and if not, it is the table.
 */
import { runLoad, RowCountMismatch, type LoadDependencies, type LoadPlan } from '../loads/loads.ts'
import { emptyRecord, isOfEngine, reasonOf } from './badRows.ts'
import type { RecordBuffer } from './recordBuffer.ts'

/** Single records of a batch that are tried when no record is known to be good. */
const triedRecords = 3

/** Loads rows and takes them back. Says why they could not be loaded; null if they could. */
export type Trial = (lines: readonly Buffer[], rows: number) => Promise<Error | null>

/** A trial of the statement of a plan. */
export function trialOf(
  parts: LoadDependencies,
  plan: Omit<LoadPlan, 'rows' | 'expectedRows' | 'turn' | 'whenDone' | 'records'>,
  structure: string,
  countsRows: boolean,
  signal: AbortSignal,
): Trial {
  return async (lines, rows) => {
    signal.throwIfAborted()
    const tried: LoadPlan = {
      ...plan,
      rows: { structure, lines },
      ...(countsRows && { expectedRows: rows }),
      turn: () => Promise.reject(new TakenBack()),
    }
    try {
      await runLoad(parts, tried, signal)
      return null
    } catch (error) {
      if (error instanceof TakenBack) return null
      if (isRefusal(error)) return error
      throw error
    }
  }
}

/** The rows were loaded, and are taken back. */
class TakenBack extends Error {
  override name = 'TakenBack'
}

/** Whether records may be the cause of an error. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof RowCountMismatch || isOfEngine(error)
}

/**
 * Moves the refused records to the bad ones.
 * @param known a record that was loaded before
 * @returns false if no record goes through: it is not the fault of the data
 */
export async function separateRefused(batch: RecordBuffer, attempt: Trial, known: Buffer | null): Promise<boolean> {
  const singleRow = (row: number) => attempt(batch.lines(row, row + 1), 1)
  const places = [0, batch.rows - 1, Math.floor(batch.rows / 2)].slice(0, triedRecords)
  const others = batch.rows > 1 ? places.map((row) => () => singleRow(row)) : []
  if (!(await anyPasses([() => attempt([known ?? emptyRecord], 1), ...others]))) return false
  const reasons = new Map<number, string>()
  await search(0, batch.rows)
  batch.exclude(reasons)
  return reasons.size > 0

  async function search(from: number, to: number): Promise<void> {
    const error = await attempt(batch.lines(from, to), to - from)
    if (error === null) return
    if (to - from > 1) {
      const middle = Math.floor((from + to) / 2)
      await search(from, middle)
      await search(middle, to)
    } else if ((await singleRow(from)) !== null) {
      reasons.set(from, reasonOf(error))
    }
  }
}

async function anyPasses(attempts: readonly (() => Promise<Error | null>)[]): Promise<boolean> {
  for (const attempt of attempts) if ((await attempt()) === null) return true
  return false
}

/** Processes that share a PostgreSQL server take its time, so that they agree on what is due, expired and held. */
import type { Statements } from './statements.ts'
import { wallClock, type WallClock } from '../clock/wallClock.ts'

/** Milliseconds between two readings: a step of the machine's own clock is noticed as none within this time. */
const interval = 2000
/** A slower reading, in milliseconds, says too little. */
const slowestReading = 1000

/**
 * Lets the clock of this process follow the clock of the server.
 *
 * @param rows runs a statement. While it fails, the clock goes on with the last difference
 * @returns ends it, once the server is no longer used
 */
export async function followDatabaseTime(
  rows: Statements['rows'],
  clock: Pick<WallClock, 'follow'> = wallClock,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  async function read(): Promise<void> {
    const begun = performance.now()
    const [row] = await rows('SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS now')
    const took = performance.now() - begun
    if (took <= slowestReading && !isOver) clock.follow(Number(row?.['now']) - (Date.now() - took / 2))
  }

  function next(): void {
    if (isOver) return
    timer = setTimeout(
      () =>
        void read()
          .catch(() => undefined)
          .finally(next),
      interval,
    )
    timer.unref()
  }

  await read()
  next()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** The stored clock of consoles, so that a step is known after a restart too. All consoles of a database share it. */
import { memoryOf, resumeFrom, storedClock } from '#node/clock/storedClock.ts'
import { wallClock, type WallClock } from '#node/clock/wallClock.ts'
import type { Database } from './database.ts'

/** Milliseconds between two writes while nothing happens. */
const interval = 60_000

/**
 * Lets the clock go on with what the last console stored, and stores it from then on: regularly, after each step, and at
 * the end.
 *
 * @param onError called for a write that fails: the next one has everything
 * @returns ends it, before the database is closed
 */
export async function rememberClock(
  database: Database,
  onError: (error: unknown) => void,
  clock: Pick<WallClock, 'memory' | 'resume' | 'onStep'> = wallClock,
): Promise<() => Promise<void>> {
  const [row] = await database.rows('SELECT memory FROM clock_memory')
  const stored = row && storedClock.parse(jsonOf(String(row['memory'])))
  if (stored) resumeFrom(stored, clock)

  async function remember(): Promise<void> {
    const sql = `INSERT INTO clock_memory (id, memory) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET memory = excluded.memory`
    const args = [JSON.stringify(memoryOf(clock))]
    await database.transactConcurrently(({ run }) => run(sql, args)).catch(onError)
  }

  const timer = setInterval(() => void remember(), interval)
  timer.unref()
  const stop = clock.onStep(() => void remember())
  await remember()
  return async () => {
    clearInterval(timer)
    stop()
    await remember()
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

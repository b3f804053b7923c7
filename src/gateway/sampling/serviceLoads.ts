/**
 * The memory that services used over the last day, in the database: slots of five minutes, because samples are only kept for
 * two hours. Each has the lowest and the highest measurement of the fullest replica and their sum, in bytes. Times are epoch
 * milliseconds.
 */
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import type { ServiceLoad } from '#contract/console/sampling/serviceSamples.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Database } from '../database/database.ts'
import type { Scrape } from './readSamples.ts'
import type { SampledConnection } from './sharedSamples.ts'

const slotLength = 5 * 60_000
const period = 24 * 3_600_000
/** Upper bound for one measurement (32 TiB), so that the sum of a slot stays below 2^53. */
const maxBytes = 2 ** 45
/** Services of a connection: at most 6 MB of rows. */
const maxServices = 200

const slot = z.object({
  first_at: z.coerce.number(),
  low: z.coerce.number(),
  high: z.coerce.number(),
  total: z.coerce.number(),
  measurements: z.coerce.number(),
})
type Slot = z.output<typeof slot>

export class ServiceLoads {
  readonly #database: Database
  /** Sampling goes on where its measurements cannot be stored. */
  readonly #onError: (error: unknown) => void

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  /** Adds the measurements of a scrape. */
  async add(
    { connectionId, revision }: SampledConnection,
    { at, services }: Pick<Scrape, 'services'> & { at: number },
  ): Promise<void> {
    const measured = [...services]
      .flatMap(([id, { replicaMemory }]) => (replicaMemory === null ? [] : [[id, Math.round(replicaMemory)] as const]))
      // One of another form would keep those of all other services from being stored.
      .filter(([id, bytes]) => pathId.safeParse(id).success && bytes <= maxBytes)
      // In one order on all consoles: otherwise two of them could wait for each other.
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, maxServices)
    if (measured.length === 0) return
    const begin = at - (at % slotLength)
    const rows = measured.map(([id, bytes]) => [connectionId, revision, id, begin, at, bytes, bytes, bytes, 1])
    await this.#database
      .transactConcurrently(async ({ run }) => {
        await run(
          `INSERT INTO service_loads (connection_id, revision, service_id, at, first_at, low, high, total, measurements)
            VALUES ${rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ')}
            ON CONFLICT (connection_id, revision, service_id, at) DO UPDATE SET
              low = CASE WHEN excluded.low < service_loads.low THEN excluded.low ELSE service_loads.low END,
              high = CASE WHEN excluded.high > service_loads.high THEN excluded.high ELSE service_loads.high END,
              total = service_loads.total + excluded.total,
              measurements = service_loads.measurements + 1`,
          rows.flat(),
        )
        await run('DELETE FROM service_loads WHERE at <= ?', [at - period])
      })
      .catch(this.#onError)
  }

  /** The load of a service over the last day; null without a measurement. */
  async of({ connectionId, revision }: SampledConnection, serviceId: string): Promise<ServiceLoad | null> {
    const now = currentTime()
    const rows = await this.#database.rows(
      `SELECT first_at, low, high, total, measurements FROM service_loads
        WHERE connection_id = ? AND revision = ? AND service_id = ? AND at > ? ORDER BY at`,
      [connectionId, revision, serviceId, now - period],
    )
    return loadOf(
      rows.map((row) => slot.parse(row)),
      now,
    )
  }
}

/** @param slots oldest first */
function loadOf(slots: readonly Slot[], now: number): ServiceLoad | null {
  const [first] = slots
  if (!first) return null
  const averages = slots.map(({ total, measurements }) => total / measurements).toSorted((a, b) => a - b)
  const quantile = (share: number) => averages[Math.ceil(share * averages.length) - 1] ?? 0
  const since = first.first_at
  return {
    since,
    minutes: Math.round(Math.min(slots.length * slotLength, Math.max(0, now - since)) / 60_000),
    low: Math.min(...slots.map(({ low }) => low)),
    high: Math.max(...slots.map(({ high }) => high)),
    median: quantile(0.5),
    p95: quantile(0.95),
  }
}

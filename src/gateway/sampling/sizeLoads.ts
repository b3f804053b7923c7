/**
 * The load of pipes and services by hour over a week, in the database: samples are only kept for two hours. Each hour has
 * the highest measurements at each size. Times are epoch milliseconds; -1 is a value that is not reported.
 */
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import { loadedResources, type LoadedResource } from '#contract/console/sampling/sizeLoads.ts'
import { hourLength, type LoadHour } from '#domain/sizing/measuredLoad.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Database } from '../database/database.ts'
import type { Scrape } from './readSamples.ts'
import type { SampledConnection } from './sharedSamples.ts'

const period = 7 * 24 * hourLength
/** Two scrapes that lie further apart leave a gap that nothing is known about. Nobody looking, they are five minutes apart. */
const longestInterval = 11 * 60_000
/** No replica has as many bytes or millicores. */
const maxOfAny = 2 ** 45
/** Pipes and services of a connection, of each kind: at most 10 MB of rows. */
const maxResources = 200
const notReported = -1

const value = z.coerce.number().transform((number) => (number === notReported ? null : number))
const hourRow = z.object({
  resource: z.enum(loadedResources),
  resource_id: z.string(),
  at: z.coerce.number(),
  last_at: z.coerce.number(),
  seconds: z.coerce.number(),
  cpu_limit: value,
  memory_limit: value,
  cpu_high: value,
  memory_high: value,
})

interface Measurement {
  resource: LoadedResource
  id: string
  cpuLimit: number | null
  memoryLimit: number | null
  cpu: number | null
  memory: number | null
}

export interface ResourceHours {
  resource: LoadedResource
  id: string
  /** In the order of their last measurement. */
  hours: LoadHour[]
}

export class SizeLoadStore {
  readonly #database: Database
  /** Sampling goes on where its measurements cannot be stored. */
  readonly #onError: (error: unknown) => void

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  /** Adds a scrape. @param after the time of the one before; 0 for none */
  async add(
    { connectionId, revision }: SampledConnection,
    { at, after, ...scrape }: Scrape & { at: number; after: number },
  ): Promise<void> {
    const measured = measurementsOf(scrape)
    if (measured.length === 0) return
    const seconds = after > 0 && at - after <= longestInterval ? Math.round((at - after) / 1000) : 0
    const rows = measured.map(({ resource, id, cpuLimit, memoryLimit, cpu, memory }) => [
      connectionId,
      revision,
      resource,
      id,
      at - (at % hourLength),
      stored(cpuLimit),
      stored(memoryLimit),
      at,
      seconds,
      stored(cpu),
      stored(memory),
    ])
    await this.#database
      .transactConcurrently(async ({ run }) => {
        await run(
          `INSERT INTO size_loads (connection_id, revision, resource, resource_id, at, cpu_limit, memory_limit, last_at, seconds, cpu_high, memory_high)
            VALUES ${rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ')}
            ON CONFLICT (connection_id, revision, resource, resource_id, at, cpu_limit, memory_limit) DO UPDATE SET
              last_at = excluded.last_at,
              seconds = size_loads.seconds + excluded.seconds,
              cpu_high = CASE WHEN excluded.cpu_high > size_loads.cpu_high THEN excluded.cpu_high ELSE size_loads.cpu_high END,
              memory_high = CASE WHEN excluded.memory_high > size_loads.memory_high
                THEN excluded.memory_high ELSE size_loads.memory_high END`,
          rows.flat(),
        )
        await run('DELETE FROM size_loads WHERE at <= ?', [at - period])
      })
      .catch(this.#onError)
  }

  /** The hours of all pipes and services of a connection. */
  async of({ connectionId, revision }: SampledConnection): Promise<ResourceHours[]> {
    const rows = await this.#database.rows(
      `SELECT resource, resource_id, at, last_at, seconds, cpu_limit, memory_limit, cpu_high, memory_high FROM size_loads
        WHERE connection_id = ? AND revision = ? AND at > ? ORDER BY last_at`,
      [connectionId, revision, currentTime() - period],
    )
    const found = new Map<string, ResourceHours>()
    for (const row of rows) {
      const { resource, resource_id: id, ...hour } = hourRow.parse(row)
      const key = `${resource} ${id}`
      const known = found.get(key) ?? { resource, id, hours: [] }
      known.hours.push(hourOf(hour))
      found.set(key, known)
    }
    return [...found.values()]
  }
}

function hourOf(row: Omit<z.output<typeof hourRow>, 'resource' | 'resource_id'>): LoadHour {
  return {
    at: row.at,
    lastAt: row.last_at,
    seconds: row.seconds,
    cpuLimit: row.cpu_limit,
    memoryLimit: row.memory_limit,
    cpuHigh: row.cpu_high,
    memoryHigh: row.memory_high,
  }
}

/** The measurements of pipes and services that report a load, in one order on all consoles. */
function measurementsOf({ pipes, services }: Scrape): Measurement[] {
  const ofPipes = [...pipes].map(([id, { cpu, cpuLimit, memory, memoryLimit }]): Measurement => {
    return { resource: 'pipe', id, cpu, cpuLimit, memory, memoryLimit }
  })
  const ofServices = [...services].map(([id, { replicaMemory }]): Measurement => {
    return { resource: 'service', id, cpu: null, cpuLimit: null, memory: replicaMemory, memoryLimit: null }
  })
  return [ofPipes, ofServices].flatMap((all) =>
    all
      .filter(({ cpu, memory }) => cpu !== null || memory !== null)
      // An ID of another form would keep all others from being stored.
      .filter(
        (measurement) =>
          pathId.safeParse(measurement.id).success && figuresOf(measurement).every((figure) => figure <= maxOfAny),
      )
      // Otherwise two consoles could wait for each other.
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, maxResources),
  )
}

const figuresOf = ({ cpu, cpuLimit, memory, memoryLimit }: Measurement): number[] =>
  [cpu, cpuLimit, memory, memoryLimit].filter((figure) => figure !== null)

const stored = (figure: number | null): number => (figure === null ? notReported : Math.max(0, Math.round(figure)))

/** The load that was expected at the sizes that pipes and services were given, to compare it with the measured load. */
import { z } from 'zod'
import {
  loadedResources,
  type ExpectedUse,
  type SizePrediction,
  type SizePredictionInput,
} from '#contract/console/sampling/sizeLoads.ts'
import type { ChangeRequestState } from '#contract/console/changeRequests.ts'
import { hourLength, isOfOtherSize, measuredLoad, type LoadHour } from '#domain/sizing/measuredLoad.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Database, Row } from '../database/database.ts'
import type { ResourceHours } from './sizeLoads.ts'

/** How long one is kept. */
const period = 30 * 24 * hourLength

const figure = z.coerce.number()
const predictionRow = z.object({
  resource: z.enum(loadedResources),
  resource_id: z.string(),
  asked_at: figure,
  request_id: z.string(),
  cpu_limit: figure,
  cpu_low: figure,
  cpu_high: figure,
  memory_limit: figure,
  memory_low: figure,
  memory_high: figure,
})
type StoredPrediction = Pick<SizePrediction, 'resource' | 'id' | 'cpu' | 'memory'> & {
  askedAt: number
  requestId: string | undefined
}

/** Finds a change request. */
type FindRequest = (
  id: string,
) => Promise<{ connectionId: string; state: ChangeRequestState; decidedAt: string | undefined } | undefined>

export class SizePredictions {
  readonly #database: Database
  readonly #findRequest: FindRequest

  constructor(database: Database, findRequest: FindRequest) {
    this.#database = database
    this.#findRequest = findRequest
  }

  /** Stores the prediction for a size in place of the earlier one. */
  async add(
    connectionId: string,
    { resource, id, cpu, memory, requestId = '' }: SizePredictionInput,
  ): Promise<Record<string, never>> {
    const now = currentTime()
    await this.#database.write(
      { sql: 'DELETE FROM size_predictions WHERE asked_at < ?', args: [now - period] },
      {
        sql: `INSERT INTO size_predictions (connection_id, resource, resource_id, asked_at, request_id,
            cpu_limit, cpu_low, cpu_high, memory_limit, memory_low, memory_high)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (connection_id, resource, resource_id) DO UPDATE SET asked_at = excluded.asked_at,
            request_id = excluded.request_id, cpu_limit = excluded.cpu_limit, cpu_low = excluded.cpu_low,
            cpu_high = excluded.cpu_high, memory_limit = excluded.memory_limit, memory_low = excluded.memory_low,
            memory_high = excluded.memory_high`,
        args: [connectionId, resource, id, now, requestId, ...figuresOf(cpu), ...figuresOf(memory)],
      },
    )
    return {}
  }

  /** The predictions of a connection, with what was measured since. @param measured the hours of its pipes and services */
  async of(connectionId: string, measured: readonly ResourceHours[]): Promise<SizePrediction[]> {
    const rows = await this.#database.rows(
      `SELECT resource, resource_id, asked_at, request_id, cpu_limit, cpu_low, cpu_high, memory_limit, memory_low, memory_high
        FROM size_predictions WHERE connection_id = ? ORDER BY asked_at`,
      [connectionId],
    )
    const all = await Promise.all(rows.map((row) => this.#withLoad(connectionId, predictionOf(row), measured)))
    return all.filter((sizePrediction) => sizePrediction !== null)
  }

  /** Null for a size that will not come: its request was declined, withdrawn, or has expired. */
  async #withLoad(
    connectionId: string,
    { askedAt, requestId, ...prediction }: StoredPrediction,
    measured: readonly ResourceHours[],
  ): Promise<SizePrediction | null> {
    const appliedAt = requestId === undefined ? askedAt : await this.#carriedOutAt(connectionId, requestId)
    if (appliedAt === undefined) return null
    const { resource, id } = prediction
    const hours = measured.find((candidate) => candidate.resource === resource && candidate.id === id)?.hours ?? []
    return {
      ...prediction,
      ...(requestId !== undefined && { requestId }),
      appliedAt,
      load: appliedAt === null ? null : measuredLoad(hours.filter((hour) => isSince(hour, prediction, appliedAt))),
    }
  }

  /** Null while it waits; undefined if it never will be. */
  async #carriedOutAt(connectionId: string, requestId: string): Promise<number | null | undefined> {
    const request = await this.#findRequest(requestId)
    if (request?.connectionId !== connectionId) return undefined
    if (request.state === 'waiting' || request.state === 'carryingOut') return null
    if (request.state !== 'carriedOut' && request.state !== 'carriedOutWithFailures') return undefined
    return request.decidedAt === undefined ? undefined : Date.parse(request.decidedAt)
  }
}

/** Whether an hour was measured at the new size. Where no limit says so, the hour of the change does not count. */
function isSince(hour: LoadHour, { cpu, memory }: Pick<SizePrediction, 'cpu' | 'memory'>, appliedAt: number): boolean {
  const isLimited = hour.cpuLimit !== null || hour.memoryLimit !== null
  if (!isLimited) return hour.at >= appliedAt
  const limits = { cpuLimit: cpu?.limit ?? null, memoryLimit: memory?.limit ?? null }
  return hour.lastAt >= appliedAt && !isOfOtherSize(hour, limits)
}

const notExpected = -1
const figuresOf = (use: ExpectedUse | null): number[] =>
  use ? [use.limit, use.low, use.high].map(Math.round) : [notExpected, notExpected, notExpected]
const expectedOf = (limit: number, low: number, high: number): ExpectedUse | null =>
  limit === notExpected ? null : { limit, low, high }

function predictionOf(row: Row): StoredPrediction {
  const found = predictionRow.parse(row)
  return {
    resource: found.resource,
    id: found.resource_id,
    askedAt: found.asked_at,
    requestId: found.request_id || undefined,
    cpu: expectedOf(found.cpu_limit, found.cpu_low, found.cpu_high),
    memory: expectedOf(found.memory_limit, found.memory_low, found.memory_high),
  }
}

/** Samples of a service, taken by the gateway from the same scrapes as those of pipes (docs/DEPLOYMENTS.md#metrics). */
import { z } from 'zod'
import { pathId } from '../../wire/kernel.ts'
import { sinceQuery, type SamplingState } from './pipeSamples.ts'

/** The values of one service at one time. Null if the deployment does not report a value. */
export interface ServiceSample {
  /** Epoch milliseconds of the gateway. */
  at: number
  /** The sampling interval in milliseconds: see `PipeSample`. */
  pace: number
  /** Its state as the metrics spell it. */
  status: string | null
  /** Counters since the start of the service's engine. */
  queries: number | null
  failedQueries: number | null
  selectedRows: number | null
  insertedRows: number | null
  /** Queries that run now. */
  runningQueries: number | null
  /** Bytes that the engine uses on all replicas together. */
  memory: number | null
  /** Bytes that it uses on the fullest replica; null also where replicas are not told apart. */
  replicaMemory: number | null
}

export const serviceSamplesQuery = z.object({ service: pathId, ...sinceQuery })

export interface ServiceSamples extends SamplingState {
  /** Oldest sample first. */
  samples: ServiceSample[]
}

export const serviceLoadQuery = z.object({ service: pathId })

/** The memory of the fullest replica of a service over the last day, in bytes. */
export interface ServiceLoad {
  /** The first measurement of that day, epoch milliseconds. */
  since: number
  /** How much of the time since then was measured. */
  minutes: number
  /** The lowest and the highest measurement. */
  low: number
  high: number
  /** The median of the averages of five minutes. */
  median: number
  p95: number
}

export interface ServiceLoadResponse extends SamplingState {
  /** Null as long as nothing is measured. */
  load: ServiceLoad | null
  /** The state of the service as the metrics spell it; null if they do not name it. */
  status: string | null
}

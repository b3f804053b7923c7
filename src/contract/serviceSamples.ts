/** Samples of a service, taken by the gateway from the same scrapes as those of pipes (docs/DEPLOYMENTS.md#metrics). */
import { z } from 'zod'
import { pathId } from './kernel.ts'
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
  /** Bytes that the engine uses. */
  memory: number | null
}

export const serviceSamplesQuery = z.object({ service: pathId, ...sinceQuery })

export interface ServiceSamples extends SamplingState {
  /** Oldest sample first. */
  samples: ServiceSample[]
}

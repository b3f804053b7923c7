/** Samples of a connection's pipes, taken by the gateway because the API only has current values (docs/DEPLOYMENTS.md#metrics). */
import { z } from 'zod'
import { pathId, type ApiError } from '../../wire/kernel.ts'

/** The values of one pipe at one time. Null if the deployment does not report a value. */
export interface PipeSample {
  /** Epoch milliseconds of the gateway. */
  at: number
  /**
   * The sampling interval in milliseconds, and what this sample waited for the rate limit and for the response. If the
   * previous sample is older, sampling was paused or failed in between, and nothing is known about that time.
   */
  pace: number
  /** Counters since the pipe was created. */
  fetchedEvents: number | null
  sentEvents: number | null
  fetchedBytes: number | null
  errors: number | null
  /** Milliseconds from production to insertion. */
  latency: number | null
  /** The log that the source of a database pipe retains, in MiB. */
  sourceLag: number | null
  /** Millicores and bytes of one replica, or of the shared size of database pipes. */
  cpu: number | null
  cpuLimit: number | null
  memory: number | null
  memoryLimit: number | null
}

/** Which samples are new: the time range, and what the page already has. */
export const sinceQuery = {
  minutes: z.coerce.number().int().min(1).max(1440).optional(),
  /** The run and time of the last response: only later samples of that run are returned. */
  run: z.string().max(64).optional(),
  after: z.coerce.number().nonnegative().optional(),
  /** Restarts sampling that has stopped or slowed down. */
  retry: z.enum(['true']).optional(),
}

/** Which samples to return: pipes, time range, and what the page already has. */
export const pipeSamplesQuery = z.object({
  /** Ids separated by commas. Default: all pipes. */
  pipes: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(pathId).max(200))
    .optional(),
  ...sinceQuery,
})

/** Why the interval is longer than usual. */
export type Slowed =
  /** The rate limit of the key is low. */
  | 'limit'
  /** Other requests use most of the rate limit. */
  | 'budget'
  /** The deployment returned 429. */
  | 'rateLimited'
  /** The deployment fails. */
  | 'failing'

/** The state of the sampling of a connection. */
export interface SamplingState {
  /** Identifies a series of samples. A new run begins after an edit of the connection, or after a long pause. */
  run: string
  /** When the last scrape succeeded, epoch milliseconds; null before the first. */
  at: number | null
  /** Milliseconds between two scrapes; null if sampling has stopped until a retry. */
  pace: number | null
  slowed: Slowed | null
  /** The error of the last scrape. */
  error: ApiError | null
}

export interface PipeSamples extends SamplingState {
  /** Oldest sample first. */
  pipes: { id: string; samples: PipeSample[] }[]
}

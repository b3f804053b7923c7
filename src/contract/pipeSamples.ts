/** What the gateway has sampled of the pipes of a connection: the API tells only what is now (managed reference 7). */
import { z } from 'zod'
import { pathId, type ApiError } from './kernel.ts'

/** Of one pipe, at one time. Null where the deployment does not report it. */
export interface PipeSample {
  /** Epoch milliseconds, by the gateway's clock. */
  at: number
  /**
   * Milliseconds that were to lie between this sample and the one before. Where more do, somebody stopped looking, or the
   * deployment did not answer: nothing is known of the time between.
   */
  pace: number
  /** Counters since the pipe was made. */
  fetchedEvents: number | null
  sentEvents: number | null
  fetchedBytes: number | null
  errors: number | null
  /** Milliseconds from produced to written. */
  latency: number | null
  /** What the source holds back for a database pipe, MiB. */
  sourceLag: number | null
  /** Millicores and bytes of one replica; of a database pipe, of the size that all of them share. */
  cpu: number | null
  cpuLimit: number | null
  memory: number | null
  memoryLimit: number | null
}

/** Which samples are wanted: of which pipes, of how long, and how much of that the page has already. */
export const pipeSamplesQuery = z.object({
  /** Ids with commas between; all pipes where it is left out. */
  pipes: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(pathId).max(200))
    .optional(),
  minutes: z.coerce.number().int().min(1).max(1440).optional(),
  /** The run and the time of the last answer: only what came later is told, as long as that run goes on. */
  run: z.string().max(64).optional(),
  after: z.coerce.number().nonnegative().optional(),
  /** Sampling that has stopped or slowed down begins anew. */
  retry: z.enum(['true']).optional(),
})

/** Why the pace is slower than usual. */
export type Slowed =
  /** The deployment allows the key few requests at all. */
  | 'limit'
  /** Others have used most of what it allows. */
  | 'budget'
  /** There were too many requests already. */
  | 'rateLimited'
  /** The deployment does not answer as it should. */
  | 'failing'

export interface PipeSamples {
  /** Names the samples that belong together: another run begins when the connection was edited, or nobody looked for long. */
  run: string
  /** Oldest sample first. */
  pipes: { id: string; samples: PipeSample[] }[]
  /** When the last scrape succeeded, epoch milliseconds; null before the first. */
  at: number | null
  /** Milliseconds between two scrapes now; null where sampling has stopped until somebody asks for a retry. */
  pace: number | null
  slowed: Slowed | null
  /** What the last scrape failed with. */
  error: ApiError | null
}

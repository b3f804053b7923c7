/** What the gateway has sampled of the pipes of a connection: the API tells only what is now (managed reference 7). */
import { z } from 'zod'
import { pathId, type ApiError } from './kernel.ts'

/** Of one pipe, at one time. Null where the deployment does not report it. */
export interface PipeSample {
  /** Epoch milliseconds, by the gateway's clock. */
  at: number
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

/** Samples of one pipe or of all, of the last minutes or of all that are kept. */
export const pipeSamplesQuery = z.object({
  pipe: pathId.optional(),
  minutes: z.coerce.number().int().min(1).max(1440).optional(),
  /** Sampling that has stopped or slowed down begins anew. */
  retry: z.enum(['true']).optional(),
})

export interface PipeSamples {
  /** Oldest sample first. */
  pipes: { id: string; samples: PipeSample[] }[]
  /** When the last scrape succeeded, epoch milliseconds; null before the first. */
  at: number | null
  /** Milliseconds between two scrapes now; null where sampling has stopped until somebody asks for a retry. */
  pace: number | null
  /** Why the pace is slower than usual: the key's limit is low, or the deployment does not answer as it should. */
  slowed: 'budget' | 'failing' | null
  /** What the last scrape failed with. */
  error: ApiError | null
}

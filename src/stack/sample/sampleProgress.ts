/** The stored progress of the sample. */
import { z } from 'zod'

export const sampleProgress = z.object({
  phase: z.enum(['loading', 'ready', 'removing', 'removed']),
  /** Milliseconds since 1970: the moment that the newest slice ends. */
  anchor: z.number(),
  /** Slices that are stored; the next one to send has this index. */
  slices: z.int(),
  /** Set while the next slice is being sent: after a crash, some of it may be stored. */
  sending: z.boolean(),
  records: z.int(),
  dashboardId: z.string().optional(),
})
export type SampleProgress = z.infer<typeof sampleProgress>

/** Where the progress is kept. `get` answers what the last `set` was given, or null. */
export interface SampleState {
  get(): Promise<unknown>
  /** Resolves once it is durable. */
  set(progress: SampleProgress): Promise<void>
}

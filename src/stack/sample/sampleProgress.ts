/** The stored progress of the sample. */
import { z } from 'zod'

export const sampleProgress = z.object({
  phase: z.enum(['loading', 'ready', 'removing', 'removed']),
  /** Milliseconds since 1970: the end of the newest slice. */
  anchor: z.number(),
  /** The number of stored slices, which is the index of the next one. */
  slices: z.int(),
  /** Set while the next slice is being sent: after a crash, parts of it may be stored. */
  sending: z.boolean(),
  records: z.int(),
  /** Milliseconds since 1970: until when the telemetry after `anchor` was sent, or is being sent. */
  liveUntil: z.number().optional(),
  dashboardId: z.string().optional(),
  /** Absent in samples of earlier versions. */
  savedSearches: z.object({ payments: z.string(), checkouts: z.string() }).optional(),
})
export type SampleProgress = z.infer<typeof sampleProgress>

/** The records created for the sample, by ID. */
export type SampleContent = Pick<SampleProgress, 'dashboardId' | 'savedSearches'>

/** Stores the progress, for all stacks on a database. */
export interface SampleState {
  get(): Promise<SampleProgress | null>
  /** Changes what is stored, with no other change in between. Resolves once it is durable. */
  update(work: (stored: SampleProgress | null) => SampleProgress): Promise<SampleProgress>
}

/** Stored records that are damaged: lists leave them out. */
import { z } from 'zod'

export const damageSummary = z.object({
  total: z.number(),
  /** Some of them. */
  records: z.array(z.object({ table: z.string(), id: z.string() })),
})
export type DamageSummary = z.infer<typeof damageSummary>

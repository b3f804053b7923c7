/** Stored records that are damaged: lists leave them out. */
import { z } from 'zod'

const damagedRecord = z.object({ table: z.string(), id: z.string() })

export const damageSummary = z.object({
  total: z.number(),
  /** Some of them. */
  records: z.array(damagedRecord),
})
export type DamageSummary = z.infer<typeof damageSummary>
export type DamagedRecord = z.infer<typeof damagedRecord>

/** Names the record to remove. */
export const damagedRemoval = z.strictObject({ table: z.string().max(100), id: z.string().max(2_000) })

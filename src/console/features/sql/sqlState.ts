/** The state of the SQL page that is in its address. Texts of statements are in no address: they may hold secrets. */
import { z } from 'zod'

export const sqlState = z.object({
  /** The ID of a saved statement. */
  saved: z.string().catch(''),
  view: z.enum(['table', 'chart']).catch('table'),
})
export type SqlView = z.output<typeof sqlState>['view']

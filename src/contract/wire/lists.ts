/** Paging of lists: docs/DEPLOYMENTS.md#lists. */
import { z } from 'zod'

export const maxPageSize = 1000

export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(maxPageSize).default(maxPageSize),
  offset: z.coerce.number().int().min(0).default(0),
})

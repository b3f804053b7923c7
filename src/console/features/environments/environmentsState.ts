/** The state of the page in its address. */
import { z } from 'zod'
import { recordKinds } from '#contract/stack/recordKinds.ts'

const text = z.string().optional().catch(undefined)

export const environmentsState = z.object({
  baseline: text,
  q: z.string().catch(''),
  kind: z.enum(recordKinds).optional().catch(undefined),
  /** Rows without a difference are shown too. */
  all: z
    .literal('1')
    .optional()
    .catch(undefined)
    .transform((value) => value !== undefined),
  /** The chosen cell: a row, and a connection. On phones, the connection that is shown. */
  row: text,
  on: text,
})
export type EnvironmentsState = z.output<typeof environmentsState>

/** What changed, as charts mark it on their time axis: the API between console and gateway. Deployments have none. */
import { z } from 'zod'
import { changeActions, changeCauses } from './history.ts'
import { pathId } from './kernel.ts'
import { markerKinds } from './markerKinds.ts'

/** Milliseconds: ten years. */
const longestRange = 10 * 366 * 86_400_000

export const markersQuery = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    /** Kinds, with commas between them; all by default. */
    kinds: z
      .string()
      .max(200)
      .transform((text) => text.split(',').filter((one) => one !== ''))
      .pipe(z.array(z.enum(markerKinds)))
      .optional(),
    /** The service of the data pipes, if it is another one than that of the connection. */
    serviceId: pathId.optional(),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), 'from must be before to')
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= longestRange, 'the range must not exceed ten years')
export type MarkersQuery = z.output<typeof markersQuery>

const marker = z.object({
  id: z.string(),
  kind: z.enum(markerKinds),
  at: z.string(),
  /** The record that changed; of a run, one of its records. */
  name: z.string(),
  /** Who made it; absent where it is not known. */
  actor: z.string().optional(),
  change: z.object({
    /** Its number in the history. */
    id: z.number(),
    kind: z.string(),
    recordId: z.string().nullable(),
    action: z.enum(changeActions),
    cause: z.enum(changeCauses),
    /** The number of fields that differ. */
    fields: z.number().optional(),
    run: z.string().optional(),
    /** The number of changes of a run. */
    count: z.number(),
  }),
})
export type Marker = z.infer<typeof marker>

const markerList = z.object({
  /** The oldest first. Of more than `maxMarkers`, the newest. */
  items: z.array(marker),
  /** How many there are of each kind, also of those that were not asked for. */
  counts: z.partialRecord(z.enum(markerKinds), z.number()),
})
export type MarkerList = z.infer<typeof markerList>

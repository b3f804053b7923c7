/** Changes, as charts mark them on their time axis: the API between console and gateway. Deployments have none. */
import { z } from 'zod'
import { changeActions, changeCauses } from './history.ts'
import { pathId } from '../wire/kernel.ts'
import { markerKinds } from './markerKinds.ts'

// Browsers and Node both have it; the contract is compiled without the types of either.
declare const URL: new (url: string) => { username: string; password: string }

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
      .transform((text) => text.split(',').filter((kind) => kind !== ''))
      .pipe(z.array(z.enum(markerKinds)))
      .optional(),
    /** The service of the data pipes, if it is another one than that of the connection. */
    serviceId: pathId.optional(),
    /** The connection whose data the charts show, if it is another one: its deployments are marked, too. */
    deploymentsOf: pathId.optional(),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), 'from must be before to')
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= longestRange, 'the range must not exceed ten years')
export type MarkersQuery = z.output<typeof markersQuery>

const marker = z.object({
  id: z.string(),
  kind: z.enum(markerKinds),
  at: z.string(),
  /** The record that changed; of a run, one of its records; of a deployment, its title. */
  name: z.string(),
  /** The author; absent if unknown. */
  actor: z.string().optional(),
  /** The change that the marker stands for. Deployments have a `release` instead. */
  change: z
    .object({
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
    })
    .optional(),
  /** The release of a deployment. */
  release: z
    .object({
      service: z.string().optional(),
      version: z.string().optional(),
      /** Plain text. */
      text: z.string().optional(),
      /** `http` or `https`. */
      url: z.string().optional(),
      /** Nobody reported it: the version appeared in telemetry. */
      isFound: z.boolean().optional(),
    })
    .optional(),
})
export type Marker = z.infer<typeof marker>

const markerList = z.object({
  /** The oldest first. Of more than `maxMarkers`, the newest. */
  items: z.array(marker),
  /** How many there are of each kind, also of those that were not asked for. */
  counts: z.partialRecord(z.enum(markerKinds), z.number()),
  /** The deployment is still being asked for versions that are new: there may be more soon. */
  isLooking: z.boolean(),
})
export type MarkerList = z.infer<typeof markerList>

/** Text of one line. Never HTML: it is shown as it is. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line, without control characters')

/** How far ahead of the console's clock a marker may be, milliseconds: clocks differ. */
const maxAhead = 5 * 60_000

/** An ID that the sender chooses, such as the number of a run of its pipeline. */
const markerId = z.string().regex(/^[\w.:-]{1,100}$/, 'must have 1 to 100 letters, digits, and . _ : -')

/** As browsers read the address, which skip any slashes and backslashes before the host. */
function hasNoCredentials(address: string): boolean {
  try {
    const { username, password } = new URL(address)
    return username === '' && password === ''
  } catch {
    // It is no address, which is refused as that.
    return true
  }
}

export const markerInput = z.strictObject({
  id: markerId,
  title: line(200),
  /** When it took effect; now by default. */
  at: z.iso.datetime({ offset: true }).optional(),
  service: line(200).optional(),
  version: line(200).optional(),
  text: z
    .string()
    .max(2_000)
    .regex(/^[^\0]*$/u, 'must not have NUL characters')
    .optional(),
  // Everybody who sees the marker sees its address.
  url: z
    .url({ protocol: /^https?$/, hostname: /./ })
    .max(1_000)
    .refine(hasNoCredentials, 'must have no user name and no password')
    .optional(),
})
export type MarkerInput = z.output<typeof markerInput>

/** Why a time cannot be that of a marker; undefined if it can. */
export function markerTimeProblem(at: number, now: number): string | undefined {
  if (at > now + maxAhead) return 'at must not lie ahead'
  return at < now - longestRange ? 'at must not be more than ten years ago' : undefined
}

export const markerParams = z.object({ connectionId: pathId, markerId })

/** A marker as it is stored. */
const storedMarker = markerInput.extend({ at: z.string(), actor: z.string() })
export type StoredMarker = z.infer<typeof storedMarker>

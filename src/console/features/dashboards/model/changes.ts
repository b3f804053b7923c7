/** The request of a save, and a comparison with its result. */
import type { z } from 'zod'
import type { Dashboard, dashboardInput } from '#contract/dashboards.ts'
import { diff, type FieldChange } from './diff.ts'
import { same, valueAt } from './json.ts'

export type DashboardBody = z.input<typeof dashboardInput>

/**
 * Parts that a deployment requires and replaces in every update; it keeps the others if they are omitted (reference
 * 1.9).
 */
const required = ['name', 'tiles']

/**
 * The body that turns `current` into `draft`: what an update requires, and the parts that differ. null where nothing does.
 * A tile that the deployment does not know goes without id: it would be given another one anyway.
 */
export function updateBody(current: Dashboard, draft: Dashboard): DashboardBody | null {
  if (same(current, draft)) return null
  const known = new Set(current.tiles.map(({ id }) => id))
  const touched = Object.keys({ ...current, ...draft }).filter(
    (key) => key !== 'id' && !required.includes(key) && !same(current[key], draft[key]),
  )
  return acceptableQuery({
    name: draft.name,
    tiles: draft.tiles.map((tile) => (known.has(tile.id) ? tile : withoutId(tile))),
    ...Object.fromEntries(touched.map((key) => [key, draft[key] ?? emptyOf(current[key])])),
  })
}

/** Leaving a part out keeps it, so a removed part is sent as empty. */
const emptyOf = (value: unknown) => (Array.isArray(value) ? [] : null)

/**
 * A deployment keeps a query whose language is null, and refuses both when they are sent together (reference 4.1). An update
 * with an empty query and no language would keep the stored language, so no query is sent in its place.
 */
function acceptableQuery(body: DashboardBody): DashboardBody {
  const isEmpty = body.savedQueryLanguage === null && body.savedQuery === ''
  return isEmpty ? { ...body, savedQuery: null } : withoutNullLanguage(body)
}

/** The body that creates a dashboard, with a query whose language is null as deployments take it: without the language. */
export function withoutNullLanguage(body: DashboardBody): DashboardBody {
  if (body.savedQueryLanguage !== null || body.savedQuery == null) return body
  const { savedQueryLanguage: _language, ...accepted } = body
  return accepted
}

/** Everything of a dashboard but its id, which no body carries. */
export function bodyOf({ id: _id, ...body }: Dashboard): DashboardBody {
  return body
}

/** The same without its id. */
export function withoutId<T extends { id?: string | undefined }>(value: T): T {
  const copy = { ...value }
  delete copy.id
  return copy
}

export interface ReadBack {
  /** What came back otherwise than it was sent. */
  altered: FieldChange[]
  /** Stored parts that were not sent: IDs and defaults. */
  filledIn: number
  /** It could not be read: nothing is known of what came of it. */
  unread?: boolean
}

/**
 * Compares what was meant (`target`) with what was read afterwards; `before` is what was there. New tiles have ids of the
 * deployment now: they are matched by place in the list. What nobody sent and was not there before is filled in; what was
 * to go and is still there is altered.
 */
export function compareReadBack(before: Dashboard, target: Dashboard, read: Dashboard): ReadBack {
  const ids = new Set(read.tiles.map(({ id }) => id))
  const tiles = target.tiles.map((tile, index) => {
    const id = ids.has(tile.id) ? tile.id : read.tiles[index]?.id
    return id === undefined ? tile : { ...tile, id }
  })
  const changes = diff({ ...target, tiles }, read).filter((change) => !bothEmpty(change.before, change.after))
  const altered = changes.filter(
    ({ path, before: meant }) => meant !== undefined || valueAt(before, path) !== undefined,
  )
  return { altered, filledIn: changes.length - altered.length }
}

/** An empty list or null equals an absent field. */
function bothEmpty(before: unknown, after: unknown): boolean {
  const isNothing = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0)
  return isNothing(before) && isNothing(after)
}

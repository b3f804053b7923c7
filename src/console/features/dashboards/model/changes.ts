/** The request of a save, and a comparison with its result. */
import type { z } from 'zod'
import type { Dashboard, dashboardInput } from '#contract/stack/dashboards/dashboards.ts'
import { diff, type FieldChange } from '#domain/json/diff.ts'
import { sameJson, valueAt } from '#domain/json/json.ts'

export type DashboardBody = z.input<typeof dashboardInput>

/**
 * Parts that a deployment requires and replaces in every update; it keeps the others if they are omitted (reference
 * 1.9).
 */
const required = ['name', 'tiles']

/**
 * The body that turns `current` into `draft`: the required parts, and those that differ. null if nothing differs.
 * A tile that the deployment does not know is sent without an ID: the deployment assigns one.
 */
export function updateBody(current: Dashboard, draft: Dashboard): DashboardBody | null {
  if (sameJson(current, draft)) return null
  const known = new Set(current.tiles.map(({ id }) => id))
  const touched = Object.keys({ ...current, ...draft }).filter(
    (key) => key !== 'id' && !required.includes(key) && !sameJson(current[key], draft[key]),
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
 * A deployment keeps a query whose language is null, and refuses both when they are sent together (docs/DEPLOYMENTS.md#dashboards). An update
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

/** A dashboard without its ID, which is not part of a request body. */
export function bodyOf({ id: _id, ...body }: Dashboard): DashboardBody {
  return body
}

/** A copy of a value without its id. */
export function withoutId<T extends { id?: string | undefined }>(value: T): T {
  const copy = { ...value }
  delete copy.id
  return copy
}

export interface ReadBack {
  /** Parts that are stored differently from what was sent. */
  altered: FieldChange[]
  /** Stored parts that were not sent: IDs and defaults. */
  filledIn: number
  /** The dashboard could not be read after the save, so the result is unknown. */
  unread?: boolean
}

/**
 * Compares the saved dashboard (`target`) with the one that was read after the save; `before` is the one before the save.
 * New tiles and filters are matched by their place in the list, because the deployment assigned their IDs. New parts that
 * were not sent count as filled in; removed parts that still exist count as altered.
 */
export function compareReadBack(before: Dashboard, target: Dashboard, read: Dashboard): ReadBack {
  const meant = {
    ...target,
    tiles: withAssignedIds(target.tiles, read.tiles),
    filters: withAssignedIds(target.filters, read.filters),
  }
  const changes = diff(meant, read).filter((change) => !bothEmpty(change.before, change.after))
  const altered = changes.filter((change) => change.before !== undefined || valueAt(before, change.path) !== undefined)
  return { altered, filledIn: changes.length - altered.length }
}

/** The sent dashboard, where an ID that is not stored is the one at the same place. */
function withAssignedIds<T extends { id?: string | undefined }>(
  sent: readonly T[],
  stored: readonly { id?: string | undefined }[],
): T[] {
  const ids = new Set(stored.map(({ id }) => id))
  return sent.map((tile, index) => {
    const id = ids.has(tile.id) ? tile.id : stored[index]?.id
    return id === undefined ? tile : { ...tile, id }
  })
}

/** An empty list or null equals an absent field. */
function bothEmpty(before: unknown, after: unknown): boolean {
  const isNothing = (value: unknown) => value == null || value === '' || (Array.isArray(value) && value.length === 0)
  return isNothing(before) && isNothing(after)
}

/** What a deployment says about a dashboard before it is written: section 4.7 of the reference. */
import type { Dashboard } from '#contract/dashboards.ts'
import { withoutId } from '../model/changes.ts'
import { diff, type FieldChange } from '../model/diff.ts'
import { copyBody } from '../model/duplicate.ts'

/** The body to be checked: a deployment checks dashboards as if they were new, and new ones bear no ids of filters. */
export function checkedBody(target: Dashboard) {
  return { ...copyBody(target, target.name), tiles: target.tiles }
}

/** Fields that were sent to be checked and that the deployment would not keep. `normalized`: what it would. */
export function droppedFields(target: Dashboard, normalized: unknown): FieldChange[] {
  if (normalized === null || normalized === undefined) return []
  const sent = { ...checkedBody(target), tiles: target.tiles.map(withoutId) }
  return diff(sent, withoutTileIds(normalized)).filter(
    ({ before, after }) => before !== undefined && before !== null && after === undefined,
  )
}

function withoutTileIds(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('tiles' in value) || !Array.isArray(value.tiles)) return value
  return { ...value, tiles: value.tiles.map((tile: object) => withoutId(tile)) }
}

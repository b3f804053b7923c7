/** Validation of a dashboard by the deployment before it is written: docs/DEPLOYMENTS.md#validation-of-dashboards. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { withoutId } from '../model/changes.ts'
import { diff, type FieldChange } from '#domain/json/diff.ts'
import { copyBody } from '../model/duplicate.ts'
import type { Path } from '#domain/json/json.ts'
import { formatPath } from './formatChanges.ts'

/** The body to validate. Deployments validate dashboards as new ones, which have no filter ids. */
export function checkedBody(target: Dashboard) {
  return { ...copyBody(target, target.name), tiles: target.tiles }
}

/** Fields of the request that the deployment would drop. `normalized` is what it would store. */
export function droppedFields(target: Dashboard, normalized: unknown): FieldChange[] {
  if (normalized === null || normalized === undefined) return []
  const sent = { ...checkedBody(target), tiles: target.tiles.map(withoutId) }
  return diff(sent, withoutTileIds(normalized)).filter(
    ({ before, after }) => before !== undefined && before !== null && after === undefined,
  )
}

export interface Finding {
  /** Where it is, in words; '' where it is about the whole. */
  where: string
  message: string
}

/** The problems found, with tiles by name instead of place. `path`: `tiles.0.config.select`. */
export function findingsOf(errors: readonly { path: string; message: string }[], target: Dashboard): Finding[] {
  return errors.map(({ path, message }) => ({ where: formatPath(stepsOf(path, target), target), message }))
}

function stepsOf(path: string, target: Dashboard): Path {
  const lists = { tiles: target.tiles, filters: target.filters, containers: target.containers ?? [] }
  const steps = path === '' ? [] : path.split('.')
  return steps.map((step, index) => {
    if (!/^\d+$/.test(step)) return step
    const list = index === 1 ? steps[0] : undefined
    const id =
      list === 'tiles' || list === 'filters' || list === 'containers' ? lists[list][Number(step)]?.id : undefined
    return id === undefined ? Number(step) : { id }
  })
}

/** New findings of a save, and those from before it, which a deployment may accept. */
export function sortFindings(now: readonly Finding[], before: readonly Finding[]): { new: Finding[]; old: Finding[] } {
  const isOld = (finding: Finding) =>
    before.some(({ where, message }) => where === finding.where && message === finding.message)
  return { new: now.filter((one) => !isOld(one)), old: now.filter(isOld) }
}

function withoutTileIds(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('tiles' in value) || !Array.isArray(value.tiles)) return value
  return { ...value, tiles: value.tiles.map((tile: object) => withoutId(tile)) }
}

/** Changes in words: where, from what, to what. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import { letterOf } from '#console/charting/series/seriesNames.ts'
import { type FieldChange, orderStep } from '#domain/json/diff.ts'
import { tileName } from '../model/diff.ts'
import type { Path } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { placeStep } from '#domain/json/merge.ts'

/**
 * `tile “Errors” › series B › condition`: fields with their form labels, unknown ones unchanged. Items with IDs are
 * shown with their names in one of the dashboards.
 */
export function formatPath(path: Path, ...dashboards: Dashboard[]): string {
  return path
    .map((step, index) => {
      const before = path[index - 1]
      if (step === orderStep) return 'order'
      if (step === placeStep) return 'position and size'
      if (typeof step === 'number') return before === 'select' ? `series ${letterOf(step)}` : String(step + 1)
      if (typeof step === 'string') return formatStep(step, path[index + 1])
      return formatItem(String(before), step.id, dashboards)
    })
    .filter((words) => words !== '')
    .join(' › ')
}

/** The name of a list says nothing that its item does not, and a configuration nothing that its field does not. */
function formatStep(step: string, next: Path[number] | undefined): string {
  if (typeof next === 'object' && step in lists) return ''
  if ((step === 'config' && next !== undefined) || (step === 'select' && typeof next === 'number')) return ''
  return lists[step] ?? fields[step] ?? step
}

const lists: Record<string, string> = { tiles: 'tiles', containers: 'sections', filters: 'filters' }

const fields: Record<string, string> = {
  config: 'configuration',
  x: 'column',
  y: 'row',
  w: 'width',
  h: 'height',
  containerId: 'section',
  tabId: 'tab',
  displayType: 'type',
  sourceId: 'source',
  select: 'series',
  aggFn: 'aggregate',
  valueExpression: 'field',
  level: 'quantile',
  metricName: 'metric',
  metricType: 'metric type',
  where: 'condition',
  whereLanguage: 'condition language',
  groupBy: 'group by',
  orderBy: 'order by',
  numberFormat: 'number format',
  seriesLimit: 'max series',
  sqlTemplate: 'statement',
  markdown: 'text',
  savedQuery: 'default condition for all tiles',
  savedQueryLanguage: 'default condition language',
  savedFilterValues: 'default filter values',
  appliesToSourceIds: 'only tiles of these sources',
}

function formatItem(list: string, id: string, dashboards: Dashboard[]): string {
  for (const dashboard of dashboards) {
    if (list === 'tiles') {
      const tile = dashboard.tiles.find((candidate) => candidate.id === id)
      if (tile) return `tile “${tileName(tile)}”`
    }
    if (list === 'containers') {
      const container = dashboard.containers?.find((candidate) => candidate.id === id)
      if (container) return `section “${container.title ?? id}”`
    }
    if (list === 'filters') {
      const filter = dashboard.filters.find((candidate) => candidate.id === id)
      if (filter) return `filter “${filter.name ?? id}”`
    }
  }
  return id
}

const longest = 300

/** A value as one short text; a dash for none. `names`: names by id. */
export function formatValue(value: unknown, names: ReadonlyMap<string, string> = new Map()): string {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? (names.get(value) ?? (value || '""')) : stringifyJson(withoutIds(value))
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

/** Items are shown by title instead of ID. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'id')
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutIds(item)]))
}

/** `2 tiles added, 1 tile removed; name, tags changed`. */
export function changeSummary(changes: readonly FieldChange[], before: Dashboard, after: Dashboard): string {
  const kinds = { added: new Set<string>(), removed: new Set<string>(), changed: new Set<string>() }
  const settings = new Set<string>()
  for (const { path } of changes) {
    const [list, item] = path
    if (list !== 'tiles' || typeof item !== 'object') {
      const key = String(list)
      settings.add(lists[key] ?? fields[key] ?? key)
      continue
    }
    const existed = before.tiles.some(({ id }) => id === item.id)
    const exists = after.tiles.some(({ id }) => id === item.id)
    kinds[existed ? (exists ? 'changed' : 'removed') : 'added'].add(item.id)
  }
  const tiles = Object.entries(kinds)
    .filter(([, ids]) => ids.size > 0)
    .map(([kind, ids]) => `${ids.size} ${ids.size === 1 ? 'tile' : 'tiles'} ${kind}`)
  const parts = [tiles.join(', '), settings.size > 0 ? `${[...settings].join(', ')} changed` : '']
  return parts.filter((part) => part !== '').join('; ') || 'no changes'
}

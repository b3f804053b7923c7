/** Changes in words: where, from what, to what. */
import type { Dashboard } from '#contract/dashboards.ts'
import { stringifyJson } from '#contract/json.ts'
import { type FieldChange, orderStep, tileName } from '../model/diff.ts'
import type { Path } from '../model/json.ts'
import { placeStep } from '../model/merge.ts'

/** `tile “Errors” › config › select › 1 › where`. Items with ids are named by what they are called in one of the dashboards. */
export function pathWords(path: Path, ...dashboards: Dashboard[]): string {
  return path
    .map((step, index) => {
      if (step === orderStep) return 'order'
      if (step === placeStep) return 'place and size'
      if (typeof step === 'number') return String(step + 1)
      if (typeof step === 'string') return stepWords(step, typeof path[index + 1] === 'object')
      return itemWords(String(path[index - 1]), step.id, dashboards)
    })
    .filter((words) => words !== '')
    .join(' › ')
}

/** The name of a list says nothing that its item does not. */
function stepWords(step: string, isItem: boolean): string {
  return isItem && step in lists ? '' : (lists[step] ?? step)
}

const lists: Record<string, string> = { tiles: 'tiles', containers: 'groups', filters: 'filters' }

function itemWords(list: string, id: string, dashboards: Dashboard[]): string {
  for (const dashboard of dashboards) {
    if (list === 'tiles') {
      const tile = dashboard.tiles.find((one) => one.id === id)
      if (tile) return `tile “${tileName(tile)}”`
    }
    if (list === 'containers') {
      const container = dashboard.containers?.find((one) => one.id === id)
      if (container) return `group “${container.title ?? id}”`
    }
    if (list === 'filters') {
      const filter = dashboard.filters.find((one) => one.id === id)
      if (filter) return `filter “${filter.name ?? id}”`
    }
  }
  return id
}

const longest = 300

/** A value as one short text; a dash for none. */
export function valueWords(value: unknown): string {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value || '""' : stringifyJson(value)
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

/** `2 tiles added, 1 removed, 3 changed; name, tags`. */
export function changeSummary(changes: readonly FieldChange[], before: Dashboard, after: Dashboard): string {
  const kinds = { added: new Set<string>(), removed: new Set<string>(), changed: new Set<string>() }
  const settings = new Set<string>()
  for (const { path } of changes) {
    const [list, item] = path
    if (list !== 'tiles' || typeof item !== 'object') {
      settings.add(lists[String(list)] ?? String(list))
      continue
    }
    const was = before.tiles.some(({ id }) => id === item.id)
    const is = after.tiles.some(({ id }) => id === item.id)
    kinds[was ? (is ? 'changed' : 'removed') : 'added'].add(item.id)
  }
  const tiles = Object.entries(kinds)
    .filter(([, ids]) => ids.size > 0)
    .map(([kind, ids]) => `${ids.size} ${ids.size === 1 ? 'tile' : 'tiles'} ${kind}`)
  return [tiles.join(', '), [...settings].join(', ')].filter((part) => part !== '').join('; ') || 'no changes'
}

/** The values that templates of alerts can read. */
import type { Group } from '../groupState.ts'
import { unmarked } from './mentions.ts'
import type { NotificationInput, NotifiedEvent } from './notified.ts'

/** Levels of a group column's name, such as `k8s.pod.name`. */
const maxLevels = 10

export function templateView({ alert, event, watched }: NotificationInput): object {
  const isSearch = alert.source === 'saved_search'
  return cleaned({
    alert,
    attributes: nested(event.group ?? {}),
    dashboard: isSearch ? undefined : { id: alert.dashboardId, name: watched.dashboard },
    savedSearch: isSearch ? { id: alert.savedSearchId, name: watched.name } : undefined,
    source: { query: watched.query },
    group: groupOf(event),
    isGroupedAlert: event.group !== null,
    granularity: alert.interval,
    startTime: event.start,
    endTime: event.end,
    value: event.value,
  })
}

/** The group of an event in one line; empty without groups. */
export function groupOf({ groupKey }: NotifiedEvent): string {
  return unmarked(groupKey)
}

/** `{"k8s.pod": "a"}` as `{k8s: {pod: "a"}}`. A name that has another as its beginning, or empty levels, stays flat. */
function nested(group: Group): object {
  const root = new Map<string, unknown>()
  const columns = Object.entries(group).toSorted(([a], [b]) => a.length - b.length)
  for (const [name, value] of columns) {
    const levels = name.split('.')
    const fits = levels.length <= maxLevels && !levels.includes('') && place(root, levels, value)
    if (!fits) root.set(name, value)
  }
  return plain(root)
}

/** @returns whether the place was free */
function place(at: Map<string, unknown>, [name = '', ...rest]: readonly string[], value: string | null): boolean {
  if (rest.length === 0) {
    if (at.has(name)) return false
    at.set(name, value)
    return true
  }
  const inner = at.get(name) ?? new Map<string, unknown>()
  if (!(inner instanceof Map)) return false
  at.set(name, inner)
  return place(inner, rest, value)
}

function plain(map: Map<string, unknown>): object {
  return Object.fromEntries([...map].map(([key, value]) => [key, value instanceof Map ? plain(value) : value]))
}

/** A copy in which no text can be taken for a mention. */
function cleaned(value: unknown): object {
  const copy: unknown = JSON.parse(JSON.stringify(value), (_, item: unknown) =>
    typeof item === 'string' ? unmarked(item) : item,
  )
  return Object(copy)
}

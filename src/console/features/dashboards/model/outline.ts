/** The shape of a dashboard: where its tiles lie when it is opened. */
import { clampPlace, type Place } from '#console/telemetry/gridPlaces.ts'
import type { Dashboard } from '#contract/dashboards.ts'
import { sectionsOf, tilesOnTab } from './sections.ts'

/** Places of the tiles that are seen, on one grid: group under group, of each its first tab. */
export function outlineOf(dashboard: Pick<Dashboard, 'tiles' | 'containers'>): Place[] {
  const places: Place[] = []
  let top = 0
  for (const section of sectionsOf(dashboard)) {
    const own = tilesOnTab(section, undefined).map(clampPlace)
    places.push(...own.map((place) => ({ ...place, y: place.y + top })))
    top += Math.max(0, ...own.map(({ y, h }) => y + h))
  }
  return places
}

/** Which dashboards Home shows: the favorites, those that were opened last, then others while there is room. */
import type { ShelvedDashboard } from '#console/charting/thumbnail/dashboardShelf.ts'

interface Placed {
  connection: { id: string }
  dashboard: { id: string }
}

export function dashboardsForHome<One extends Placed>(
  all: readonly One[],
  shelf: readonly ShelvedDashboard[],
  count: number,
): One[] {
  const chosen = shelf.flatMap(({ connectionId, dashboardId }) =>
    all.filter(({ connection, dashboard }) => connection.id === connectionId && dashboard.id === dashboardId),
  )
  return [...chosen, ...all.filter((placed) => !chosen.includes(placed))].slice(0, count)
}

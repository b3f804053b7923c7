/** The searches for the rows behind a tile. */
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { isOthersLine, readLineId } from '#console/charting/series/seriesNames.ts'
import type { QueryPlan } from '../tiles/tileQuery.ts'
import { eventsLink, type EventsLink } from './eventsLink.ts'

interface TileRange {
  from: string
  to: string
}

/** The rows of one line of a tile, by its ID, or of its first series. A formula is about its first series. */
export function tileEvents(
  plan: QueryPlan,
  line: string | null,
  range: TileRange,
  sources: readonly Source[],
): EventsLink {
  if (line !== null && isOthersLine(line)) return { problem: 'This line is of many groups.' }
  const planned = plannedSeries(plan)
  const read = line === null ? null : readLineId(line)
  if (line !== null && !read) return { problem: 'This line shows another time range for comparison.' }
  const series = planned[Number(read?.series)] ?? planned[0]
  if (!series) return { problem: 'This tile has no series.' }
  return eventsLink({ series, groupBy: series.groupBy ?? [], group: read?.group, ...range }, sources)
}

/** The series of a tile with different conditions: each has rows of its own. */
export function distinctSeries(plan: QueryPlan): { index: number; where: string }[] {
  const seen = new Set<string>()
  return plannedSeries(plan).flatMap(({ sourceId, where = '', whereLanguage }, index) => {
    const key = JSON.stringify([sourceId, where, whereLanguage])
    if (seen.has(key)) return []
    seen.add(key)
    return [{ index, where }]
  })
}

/** The series of a plan in the order of the tile, without those of the previous period. */
function plannedSeries({ requests }: QueryPlan): ChartQuery['series'] {
  return requests.filter(({ earlier }) => earlier === 0).flatMap(({ query }) => query.series)
}

import { forSource } from '#console/charting/sourceChange.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { Draft } from './useExplorer.ts'

/** A draft with another source for one of its series, and what of it the new source lacks. */
export function withSource(
  { series, groupBy }: Draft,
  at: number,
  sourceId: string,
  sources: readonly Source[],
): { part: Partial<Draft>; dropped: string[] } {
  const moved = series[at]
  if (!moved) return { part: {}, dropped: [] }
  const of = (id: string) => sources.find((source) => source.id === id)
  const { query, dropped } = forSource({ ...moved, groupBy }, of(moved.sourceId), of(sourceId))
  const { field, where } = query
  // Groups are those of all series: a name that only this source has is none of the others.
  const groups = series.length === 1 ? query.groupBy : groupBy.filter((name) => query.groupBy.includes(name))
  const lost = series.length === 1 ? [] : groupBy.filter((name) => !groups.includes(name))
  return {
    part: {
      series: series.map((one, index) => (index === at ? { ...one, sourceId, field, where } : one)),
      groupBy: [...groups],
    },
    dropped: [...new Set([...lost, ...dropped])],
  }
}

/** Takes a change of source back, and keeps what was edited since. */
export function withFormerSource({ series }: Draft, at: number, former: Draft): Partial<Draft> {
  const before = former.series[at]
  if (!before) return {}
  const { sourceId, field, where } = before
  return {
    series: series.map((one, index) => (index === at ? { ...one, sourceId, field, where } : one)),
    groupBy: former.groupBy,
  }
}

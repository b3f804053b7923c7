/** The query of the explorer on another deployment: its sources, and its lines over those of this one. */
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { matchSources, type SourceMatch, type SourceReference } from '#console/charting/sourceMatch.ts'
import type { Series } from '#console/ui/series/series.ts'
import type { SeriesState } from './state.ts'

/** The sources of the series and their matches on the other deployment. */
export function matchesOf(
  series: readonly SeriesState[],
  own: readonly Source[],
  otherSources: readonly Source[],
  chosen: string,
): SourceMatch[] {
  const ids = [...new Set(series.map(({ sourceId }) => sourceId))]
  const reference = ids.map(
    (id): SourceReference => own.find((source) => source.id === id) ?? { id, name: id, kind: '' },
  )
  return matchSources(reference, otherSources, readChosen(chosen))
}

/** The question in the other deployment's sources; null if one of them has no counterpart. */
export function translateQuery(query: ChartQuery, matches: readonly SourceMatch[]): ChartQuery | null {
  const to = new Map(matches.map(({ reference, to }) => [reference.id, to?.id]))
  const series = query.series.map((one) => ({ ...one, sourceId: to.get(one.sourceId) ?? '' }))
  return series.some(({ sourceId }) => sourceId === '') ? null : { ...query, series }
}

/** `here:there,…` as an address holds it. */
function readChosen(text: string): Record<string, string> {
  return Object.fromEntries(text.split(',').map((pair) => [pair.split(':')[0] ?? '', pair.split(':')[1] ?? '']))
}

/** The text of choices with one more. */
export function withChosen(text: string, from: string, to: string): string {
  const all = { ...readChosen(text), [from]: to }
  return Object.entries(all)
    .filter(([own, other]) => own !== '' && other !== '')
    .map((pair) => pair.join(':'))
    .join(',')
}

/** The series of the other deployment: dashed, in the colors of their counterparts, in a separate legend group. */
export function withOverlay(
  own: readonly Series[],
  overlaid: readonly Series[],
  names: { own: string; other: string },
) {
  const name = names.other === names.own ? `${names.other} (overlay)` : names.other
  const labelSuffix = ` · ${name}`
  return [
    ...own.map((line) => ({ ...line, group: names.own })),
    ...overlaid.map((line) => ({
      ...line,
      id: `${line.id}@there`,
      label: `${line.label}${labelSuffix}`,
      labelSuffix,
      overlay: true,
      group: name,
      like: line.id,
    })),
  ] satisfies Series[]
}

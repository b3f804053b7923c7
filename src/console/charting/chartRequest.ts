/** Rewrites a chart query to a form that gives the same result on every deployment. */
import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import { searchedExpressions } from '#contract/stack/sourceExpressions.ts'
import { fieldOf as fieldOfExpression } from '#domain/query/fieldNames.ts'
import { fieldsOf } from './fields.ts'
import { withFreeTextIn } from './freeText.ts'
import { groupingOf, keepsWrittenName, withoutDots } from './portableSql.ts'

type Series = ChartQuery['series'][number]

/** @param sources those of the requested deployment, as far as they are known */
export function portableQuery(query: ChartQuery, sources: readonly Source[]): ChartQuery {
  const sourceOf = ({ sourceId }: Series) => sources.find(({ id }) => id === sourceId)
  // All series are grouped by the same: a map of one is a map of all.
  const maps = [...new Set(query.series.flatMap((one) => mapsOf(sourceOf(one))))]
  const series = query.series.map((item): Series => {
    const source = sourceOf(item)
    return {
      ...item,
      where: conditionOf(item, source),
      groupBy: (item.groupBy ?? []).map((expression) => groupingOf(expression, maps)),
      ...(item.field !== undefined && { field: fieldOf(item, source) }),
    }
  })
  const { topGroups, topGroupsRange, ...rest } = query
  const isRanked = topGroups !== undefined && query.series.every((one) => ranksGroups(sourceOf(one)))
  return {
    ...rest,
    series,
    ...(series.some(needsRows) && { seriesReturnType: 'column' }),
    ...(isRanked && { topGroups, ...(topGroupsRange && { topGroupsRange }) }),
  }
}

/** Whether the deployment of a source answers the largest groups and all others as one. */
export const ranksGroups = (source: Source | undefined): boolean => source?.chartOptions?.includes('topGroups') === true

/** Whether only rows identify the groups: under a name chosen by the engine, or, for histograms, in an array. */
function needsRows({ groupBy = [], metricDataType }: Series): boolean {
  return groupBy.length > 0 && (!groupBy.every(keepsWrittenName) || metricDataType?.endsWith('histogram') === true)
}

const mapsOf = (source: Source | undefined): string[] =>
  fieldsOf(source).flatMap(({ name, kind }) => (kind === 'map' ? [name] : []))

/** The columns of one of some sources, by ID, whose keys are attributes. */
export const mapsIn =
  (sources: readonly Source[]) =>
  (sourceId: string): string[] =>
    mapsOf(sources.find(({ id }) => id === sourceId))

/** The field of a series. For a metric without a name of its own, the field is the name. */
function fieldOf({ field = '', metricName, metricDataType }: Series, source: Source | undefined): string {
  const isName = metricDataType !== undefined && !metricName
  return isName ? field : withoutDots(field, mapsOf(source))
}

function conditionOf({ where = '', whereLanguage }: Series, source: Source | undefined): string {
  const [first, ...others] = whereLanguage === 'sql' ? [] : searchedFields(source)
  return first === undefined ? where : withFreeTextIn([first, ...others], where)
}

/** The fields in which a source's records are searched for text; none if it names none, or an expression. */
function searchedFields(source: Source | undefined): string[] {
  const fields = source ? searchedExpressions(source).map(fieldOfExpression) : []
  return fields.includes(null) ? [] : fields.flatMap((field) => field ?? [])
}

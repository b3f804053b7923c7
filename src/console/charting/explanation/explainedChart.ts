import type { ChartQuery } from '#contract/stack/charts.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { ExplainedChart, Subject } from './question.ts'

interface Drawn {
  /** The queries of the chart, of one range. */
  queries: readonly ChartQuery[]
  /** Names of their series, in order. */
  labels: readonly string[]
  sources: readonly Source[]
  /** Why rows of logs and traces cannot be read; undefined if they can. */
  noSearch: string | undefined
}

/** The series of a chart that can be explained: each that reads other rows than those before it. */
export function explainedChart({ queries, labels, sources, noSearch }: Drawn): ExplainedChart {
  const [first] = queries
  const seen = new Set<string>()
  const series = queries.flatMap((query) => query.series)
  const all = series.flatMap((item, index): Subject[] => {
    const source = sources.find(({ id }) => id === item.sourceId)
    const { aggFn, where = '', whereLanguage = 'lucene', metricName, metricDataType, field } = item
    // Series of the same rows have the same answer.
    const key = JSON.stringify([item.sourceId, where, whereLanguage, metricName, metricDataType, metricName && aggFn])
    if (!source || seen.has(key)) return []
    seen.add(key)
    const read = { aggFn, where, whereLanguage, metricName, metricDataType, field }
    return [{ index, label: labels[index] ?? source.name, source, series: read }]
  })
  const subjects = all.filter(({ source }) => source.kind === 'metric' || noSearch === undefined)
  const { startTime = 0, endTime = 0, granularity, timezone } = first ?? {}
  return {
    range: { startTime, endTime, granularity, ...(timezone !== undefined && { timezone }) },
    subjects,
    problem: subjects.length > 0 ? undefined : all.length > 0 ? noSearch : 'The source of the chart was not found.',
  }
}

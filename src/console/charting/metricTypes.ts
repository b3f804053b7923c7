import { type MetricType, metricTypes, type Source } from '#contract/stack/sources.ts'

/** The metric types with tables in a source, as options; all if the source does not name its tables. */
export function metricTypeOptions(source: Pick<Source, 'metricTables'> | undefined) {
  const { metricTables } = source ?? {}
  return metricTypes
    .filter((type) => !metricTables || metricTables[type])
    .map((value): { value: MetricType; label: string } => ({ value, label: value }))
}

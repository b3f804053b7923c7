import { type MetricType, metricTypes, type Source } from '#contract/sources.ts'

/** The types of metrics that a source has tables for, as forms offer them; all where it does not say. */
export function metricTypeOptions(source: Pick<Source, 'metricTables'> | undefined) {
  const { metricTables } = source ?? {}
  return metricTypes
    .filter((type) => !metricTables || metricTables[type])
    .map((value): { value: MetricType; label: string } => ({ value, label: value }))
}

/** How the range of a chart query follows from the range that is shown. */
import { z } from 'zod'
import { granularities } from './charts.ts'

/**
 * `buckets`: whole buckets of records. `metricBuckets`: of metrics, which deployments answer in whole buckets at both ends.
 * `metricTotal`: buckets from which one value of metrics is put together. `total`: as few buckets as there can be. `none`:
 * the very range.
 */
export const alignment = z.object({
  kind: z.enum(['buckets', 'metricBuckets', 'metricTotal', 'total', 'none']),
  granularity: z.enum([...granularities, 'auto']),
  /** `utc`, or the name of a time zone in which buckets of hours and days start. On a page also `local`. */
  zone: z.string().max(64),
  /** For `metricTotal`: whether the value follows exactly from those of the buckets. */
  exact: z.boolean().optional(),
})
export type Alignment = z.output<typeof alignment>

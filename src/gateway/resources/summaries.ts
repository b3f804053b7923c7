/** Lists of records that are too large for a page, which shows a few fields of each. What needs whole records reads those. */
import type { summaries } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { dashboardSummaryOf } from '#domain/dashboards/summary.ts'

type Summarize = (record: unknown) => unknown

const summarize: Record<keyof typeof summaries, Summarize> = { dashboards: dashboardSummaryOf }

const byResource = new Map<string, Summarize>(Object.entries(summarize))

/** The result of a request: of an endpoint that summarizes a list, a summary of each record. */
export function summarized({ resource, whole }: Endpoint, result: unknown): unknown {
  const summaryOf = whole && byResource.get(resource)
  return summaryOf && Array.isArray(result) ? result.map(summaryOf) : result
}

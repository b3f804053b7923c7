/** Lists of records that are too large for a page, which shows a few fields of each. What needs whole records reads those. */
import type { summaries } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { dashboardSummaryOf } from '#domain/dashboards/summary.ts'

type Summarize = (record: unknown) => unknown

const summarize: Record<keyof typeof summaries, Summarize> = { dashboards: cachedByRecord(dashboardSummaryOf) }

const byResource = new Map<string, Summarize>(Object.entries(summarize))

/** Replaces each record of a result with its summary, if the endpoint is a list of summaries. */
export function summarized({ resource, whole }: Endpoint, result: unknown): unknown {
  const summaryOf = whole && byResource.get(resource)
  return summaryOf && Array.isArray(result) ? result.map(summaryOf) : result
}

/** Makes the summary of a record once: those of a list that has not changed are the same objects (`lastReplies.ts`). */
function cachedByRecord(summaryOf: Summarize): Summarize {
  const known = new WeakMap<object, unknown>()
  return (record) => {
    if (typeof record !== 'object' || record === null) return summaryOf(record)
    const summary = known.get(record) ?? summaryOf(record)
    known.set(record, summary)
    return summary
  }
}

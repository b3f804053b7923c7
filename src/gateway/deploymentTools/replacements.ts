/** How the tools of a deployment take the place of reads that its API lacks, except SQL. */
import { alerts } from '#contract/stack/alerts.ts'
import type { AlertEvaluation } from '#contract/stack/alertHistory.ts'
import { maxListedMetrics } from '#contract/stack/deploymentTools.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { sources, type MetricName } from '#contract/stack/sources.ts'
import { toolOrigin, type ToolRead } from './toolClient.ts'

/** Windows that the tool returns at most. It looks back as many intervals of the alert and one more, however many were evaluated. */
const maxWindows = 20
const evaluationsOrigin = `${toolOrigin}, which returns the newest ${maxWindows} windows, none older than ${maxWindows + 1} intervals.`

/** Calls for the metrics of one source. */
const maxMetricCalls = 3

const readMetricNames: ToolRead = async (call, { params }) => {
  const sourceId = params?.['sourceId'] ?? ''
  const metrics: MetricName[] = []
  let cursor: string | undefined
  let isPartial = false
  for (let count = 0; count < maxMetricCalls; count++) {
    const page = await call('listMetrics', {
      sourceId,
      limit: maxListedMetrics,
      ...(cursor !== undefined && { cursor }),
    })
    metrics.push(...page.metrics.map(({ name, kind, unit }) => ({ name, type: kind, ...(unit && { unit }) })))
    isPartial ||= (page.partialFailure?.length ?? 0) > 0
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  const some = cursor !== undefined ? `the first ${metrics.length.toLocaleString('en')} metrics` : 'metrics'
  const failed = isPartial ? ' Some types could not be read.' : ''
  return { result: metrics, origin: `${toolOrigin}: ${some} with points in the last 24 hours.${failed}` }
}

const readEvaluations: ToolRead = async (call, { params, query }) => {
  const { history } = await call('getAlert', { id: params?.['alertId'] ?? '' })
  const time = (name: string) => Number(query?.get(name) ?? Number.NaN)
  const [start, end, before] = [time('startTime'), time('endTime'), time('before')]
  // A limit that is not given leaves all of them.
  const items = history.map(withoutMixedValues).filter(({ createdAt }) => {
    const at = Date.parse(createdAt)
    return !(at < start) && !(at > end) && !(at >= before)
  })
  const oldest = history.at(-1)
  const hasMore = history.length >= maxWindows && oldest !== undefined && !(Date.parse(oldest.createdAt) < start)
  return { result: { items, hasMore }, origin: evaluationsOrigin }
}

/** The tool puts the values of all groups into one list: which is whose is not known, so a window has none. */
function withoutMixedValues(evaluation: AlertEvaluation): AlertEvaluation {
  const starts = evaluation.lastValues.map(({ startTime }) => startTime)
  return new Set(starts).size === starts.length ? evaluation : { ...evaluation, lastValues: [] }
}

export const replacements: ReadonlyMap<Endpoint, ToolRead> = new Map<Endpoint, ToolRead>([
  [sources.metricNames, readMetricNames],
  [alerts.evaluations, readEvaluations],
])

/** The steps of the tour: the pages that lead from an alert of the sample to its cause. */
import { paths } from '#console/paths/paths.ts'
import type { SearchLink } from '#console/charting/search/searchLink.ts'
import type { SampleIncident } from '#contract/stack/sample.ts'

interface TourStep {
  name: string
  text: string
  to: string
  search: Record<string, string>
}

const minute = 60_000
const hour = 60 * minute
const shop = 'ResourceAttributes.telemetry.sample:"true"'

/** @param now milliseconds since 1970 */
export function tourSteps(connectionId: string, incident: SampleIncident, now: number): TourStep[] {
  const { start, end, alertId, traceId, failedAt } = incident
  const around = { from: String(start - 15 * minute), to: String(end + 15 * minute) }
  const rows = (q: string): Record<string, string> =>
    ({ q: `${shop} AND ${q}`, lang: 'lucene', ...around }) satisfies SearchLink
  return [
    {
      name: 'Alert fires',
      text: 'Payments failed within a window of 15 minutes, so this alert fired: the strip below the chart shows when. Beside it is the message that its webhook receives.',
      to: paths.alert(connectionId, alertId),
      search: now - start > 23 * hour ? { range: '7d' } : {},
    },
    {
      name: 'Compare services',
      text: 'Errors by service at that time. Payment, checkout and web fail together: the innermost of them, shop-payment, is where to look.',
      to: paths.explorer(connectionId),
      search: { a: 'count', 'a.where': `${shop} AND SeverityText:"ERROR"`, by: 'ServiceName', ...around },
    },
    {
      name: 'Read the errors',
      text: 'The log records that the alert counted. Each one says that all 5 connections of the pool are in use.',
      to: paths.search(connectionId),
      search: rows('"payment provider" AND SeverityText:"ERROR"'),
    },
    {
      name: 'Open the trace',
      text: 'One of these payments. It waits for a connection until its time limit, and its failure passes through checkout to the visitor.',
      to: paths.trace(connectionId, traceId),
      search: { at: String(failedAt) },
    },
    {
      name: 'Find the cause',
      text: 'Deployment 1847 reduced the pool from 50 connections to 5 just before the first failure. A rollback ended the incident.',
      to: paths.search(connectionId),
      search: rows('"configuration reloaded"'),
    },
  ]
}

/** Metrics of the requests to deployments. */
import type { Meter } from '@opentelemetry/api'
import { ConnectError } from './egressGuard.ts'
import type { Budgets } from './budgets.ts'
import { type CountRequest, ResponseLost } from './upstream.ts'

/** Seconds. Deployments may take a minute to respond. */
const durationBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export function requestCounter(meter: Meter): CountRequest {
  const duration = meter.createHistogram('upstream.request.duration', {
    unit: 's',
    description: 'Time from a request to a deployment to the end of its response',
    advice: { explicitBucketBoundaries: durationBounds },
  })
  return (variant, outcome, seconds) => duration.record(seconds, { variant, outcome: nameOf(outcome) })
}

/** Without names of keys: the key that is closest to its limit stands for all of a variant. */
export function measureBudgets(meter: Meter, budgets: Budgets): void {
  meter
    .createObservableGauge('upstream.budget.left', {
      unit: '1',
      description: 'Share of the rate limit that is left, of the key that has least left',
    })
    .addCallback((result) => {
      for (const { variant, left } of budgets.totals()) result.observe(left, { variant })
    })
  meter
    .createObservableGauge('upstream.requests.waiting', {
      unit: '{request}',
      description: 'Requests that wait for the rate limit of their key',
    })
    .addCallback((result) => {
      for (const { variant, waiting } of budgets.totals()) result.observe(waiting, { variant })
    })
}

function nameOf(outcome: number | Error): string {
  if (outcome instanceof ConnectError) return 'unreachable'
  if (outcome instanceof ResponseLost) return outcome.kind
  if (outcome instanceof Error) return 'cancelled'
  if (outcome === 429) return 'rateLimited'
  return outcome < 400 ? 'success' : outcome < 500 ? 'refused' : 'failed'
}

/** The way to deployments: what guards, limits and counts the requests to them, and their metrics. */
import type { Meter } from '@opentelemetry/api'
import { createEgress, type Egress, ConnectError } from '#node/upstream/egressGuard.ts'
import { Budgets } from '#node/upstream/budgets.ts'
import {
  defaultDeadlines,
  replyLimit,
  Upstream,
  type Starting,
  type CountRequest,
  ResponseLost,
} from '#node/upstream/upstream.ts'
import type { GatewayOptions } from './gatewayOptions.ts'

export interface OpenUpstreams {
  /** For what is sent to other receivers than deployments, such as providers. */
  egress: Egress
  upstream: Upstream
  budgets: Budgets
}

type Options = Pick<GatewayOptions, 'tuning' | 'meter' | 'budgets' | 'stackUrl' | 'stackReady'>

export function openUpstreams(options: Options): OpenUpstreams {
  const { tuning = {}, meter, budgets: rules } = options
  const deadlines = tuning.deadlines ?? defaultDeadlines
  const egress = createEgress(deadlines, tuning.resolve)
  const limit = tuning.replyLimit ?? replyLimit
  const upstream = new Upstream(egress, deadlines, limit, meter && requestCounter(meter), startingOf(options))
  const budgets = new Budgets(rules)
  if (meter) measureBudgets(meter, budgets)
  return { egress, budgets, upstream }
}

/** The gateway opens while the stack of this server starts: what it reads or repeats by then waits for the stack. */
function startingOf({ stackUrl, stackReady }: Options): Starting | undefined {
  if (stackUrl === undefined) return undefined
  const { origin } = new URL(stackUrl)
  return (other) => (other === origin ? stackReady : undefined)
}

/** Seconds. Deployments may take a minute to respond. */
const durationBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

function requestCounter(meter: Meter): CountRequest {
  const duration = meter.createHistogram('upstream.request.duration', {
    unit: 's',
    description: 'Time from a request to a deployment to the end of its response',
    advice: { explicitBucketBoundaries: durationBounds },
  })
  return (variant, outcome, seconds) => duration.record(seconds, { variant, outcome: nameOf(outcome) })
}

/** Without names of keys: the key that is closest to its limit stands for all of a variant. */
function measureBudgets(meter: Meter, budgets: Budgets): void {
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

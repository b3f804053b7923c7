/** The way to deployments: what guards, limits and counts the requests to them. */
import { createEgress, type Egress } from '#node/upstream/egressGuard.ts'
import { Budgets } from '#node/upstream/budgets.ts'
import { defaultDeadlines, replyLimit, Upstream, type Starting } from '#node/upstream/upstream.ts'
import { measureBudgets, requestCounter } from '#node/upstream/upstreamMetrics.ts'
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

/** The way to deployments: what guards, limits and counts the requests to them. */
import { createEgress, type Egress } from '#node/upstream/egressGuard.ts'
import { Budgets } from '#node/upstream/budgets.ts'
import { defaultDeadlines, replyLimit, Upstream } from '#node/upstream/upstream.ts'
import { measureBudgets, requestCounter } from '#node/upstream/upstreamMetrics.ts'
import type { GatewayOptions } from './gatewayOptions.ts'

export interface OpenUpstreams {
  /** For what is sent to other receivers than deployments, such as providers. */
  egress: Egress
  upstream: Upstream
  budgets: Budgets
}

export function openUpstreams({ tuning = {}, meter, budgets: rules }: GatewayOptions): OpenUpstreams {
  const deadlines = tuning.deadlines ?? defaultDeadlines
  const egress = createEgress(deadlines, tuning.resolve)
  const upstream = new Upstream(egress, deadlines, tuning.replyLimit ?? replyLimit, meter && requestCounter(meter))
  const budgets = new Budgets(rules)
  if (meter) measureBudgets(meter, budgets)
  return { egress, budgets, upstream }
}

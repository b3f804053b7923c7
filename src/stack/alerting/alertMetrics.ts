/** Metrics of the evaluation and the notifications of alerts. */
import type { Meter } from '@opentelemetry/api'
import type { PassResult } from './pass.ts'

const minute = 60_000

export interface AlertMetrics {
  /** @param late milliseconds from the minute of the pass to its end; @param duration milliseconds that it took */
  passed(result: PassResult, late: number, duration: number): void
  /** Another stack evaluates alerts: this one has no lag. */
  standsBy(): void
  /** A pass ended with an error, and is repeated a minute later. */
  failed(): void
  /** A notification was delivered or given up. */
  delivered(service: string, status: string): void
}

export function createAlertMetrics(meter: Meter): AlertMetrics {
  const evaluations = meter.createCounter('alerts.evaluations', {
    unit: '{evaluation}',
    description: 'Windows of alerts that were evaluated',
  })
  const errors = meter.createCounter('alerts.evaluation.errors', {
    unit: '{evaluation}',
    description: 'Alerts that could not be evaluated',
  })
  const events = meter.createCounter('alerts.events', {
    unit: '{event}',
    description: 'Firing and recovery of alerts and their groups, to be sent',
  })
  const failures = meter.createCounter('alerts.pass.failures', { unit: '{pass}', description: 'Passes that failed' })
  const durations = meter.createGauge('alerts.pass.duration', { unit: 's', description: 'Duration of the last pass' })
  const lags = meter.createObservableGauge('alerts.evaluation.lag', {
    unit: 's',
    description: 'Time for which ended windows wait to be evaluated, and passes are late',
  })
  const deliveries = meter.createCounter('alerts.deliveries', {
    unit: '{delivery}',
    description: 'Notifications that were delivered or given up',
  })
  /** The last pass, and when it ended by the monotonic clock. */
  let last: { late: number; behind: number; at: number } | null = null
  lags.addCallback((observed) => {
    if (last) observed.observe(lagOf(last, performance.now()) / 1000)
  })
  return {
    standsBy: () => void (last = null),
    passed(result, late, duration) {
      evaluations.add(result.evaluations)
      errors.add(result.errors)
      events.add(result.events)
      durations.record(duration / 1000)
      last = { late, behind: result.behind, at: performance.now() }
    },
    failed: () => failures.add(1),
    delivered: (service, status) => deliveries.add(1, { 'webhook.service': service, status }),
  }
}

/** Milliseconds. A pass that did not begin a minute after the last one is late, whatever the wall clock says. */
function lagOf({ late, behind, at }: { late: number; behind: number; at: number }, now: number): number {
  return Math.max(late + behind, late + now - at - minute)
}

/** What the stack reports about the evaluation and the notifications of alerts. */
import type { Meter } from '@opentelemetry/api'
import type { PassResult } from './pass.ts'

export interface AlertMetrics {
  /** @param lag milliseconds from the minute of the pass to its end; @param duration milliseconds that it took */
  passed(result: PassResult, lag: number, duration: number): void
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
  const lags = meter.createGauge('alerts.evaluation.lag', {
    unit: 's',
    description: 'Time from the minute of the last pass to its end',
  })
  const deliveries = meter.createCounter('alerts.deliveries', {
    unit: '{delivery}',
    description: 'Notifications that were delivered or given up',
  })
  return {
    passed(result, lag, duration) {
      evaluations.add(result.evaluations)
      errors.add(result.errors)
      events.add(result.events)
      durations.record(duration / 1000)
      lags.record(lag / 1000)
    },
    failed: () => failures.add(1),
    delivered: (service, status) => deliveries.add(1, { 'webhook.service': service, status }),
  }
}

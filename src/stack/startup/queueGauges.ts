/** Queues of the stack, and the states of its data pipes, as metrics. */
import type { Meter } from '@opentelemetry/api'
import { outboxLength } from '../alerting/outbox.ts'
import type { RunningCloud } from '../pipes/runtime.ts'
import type { Store } from '../store/store.ts'

interface MeasuredDependencies {
  store: Store
  cloud: Pick<RunningCloud, 'states'>
}

export function measureQueues(meter: Meter, { store, cloud }: MeasuredDependencies): void {
  meter
    .createObservableGauge('alerts.outbox.length', {
      unit: '{notification}',
      description: 'Notifications that are not delivered yet',
    })
    .addCallback(async (result) => {
      // While the records cannot be read, the metric is missing. The others are not.
      const length = await outboxLength(store).catch(() => null)
      if (length !== null) result.observe(length)
    })
  meter.createObservableGauge('pipes', { unit: '{pipe}', description: 'Data pipes by state' }).addCallback((result) => {
    for (const [state, count] of cloud.states()) result.observe(count, { state })
  })
}

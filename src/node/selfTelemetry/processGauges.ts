/** Gauges of the process: memory, processor time and event loop delay. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Meter } from '@opentelemetry/api'

/** Measures with every export. @returns a function that stops it */
export function measureProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let cpu = process.cpuUsage()
  let since = performance.now()

  meter
    .createObservableGauge('process.memory.usage', { unit: 'By', description: 'Resident memory' })
    .addCallback((result) => result.observe(process.memoryUsage.rss()))
  meter
    .createObservableGauge('process.cpu.utilization', { unit: '1', description: 'Processors in use; 1 is one of them' })
    .addCallback((result) => {
      const used = process.cpuUsage(cpu)
      const elapsed = performance.now() - since
      cpu = process.cpuUsage()
      since = performance.now()
      if (elapsed > 0) result.observe((used.user + used.system) / 1000 / elapsed)
    })
  meter
    .createObservableGauge('nodejs.eventloop.delay.p99', { unit: 's', description: 'Event loop delay' })
    .addCallback((result) => {
      const nanoseconds = delay.percentile(99)
      if (Number.isFinite(nanoseconds)) result.observe(nanoseconds / 1e9)
      delay.reset()
    })
  return () => delay.disable()
}

/** Gauges of the process: memory, processor time and event loop delay. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Meter } from '@opentelemetry/api'

/**
 * Milliseconds below which a second reader gets the values of the first. The metrics are exported and scraped, and the time
 * between both may be too short for a share of it.
 */
const sameReading = 1_000
/** Milliseconds between two samples of the event loop. Each one wakes the process, also when nobody uses it. */
const sampling = 100

/** Measures with every export and scrape. @returns a function that stops it */
export function measureProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: sampling })
  delay.enable()
  let cpu = process.cpuUsage()
  let since = performance.now()
  let utilization = 0
  let delaySeconds = 0

  /** Begins a new period, if the last one is long enough. */
  const measure = () => {
    const elapsed = performance.now() - since
    if (elapsed < sameReading) return
    const used = process.cpuUsage(cpu)
    cpu = process.cpuUsage()
    since = performance.now()
    utilization = (used.user + used.system) / 1000 / elapsed
    // The gauge measures the time from one sample to the next.
    const seconds = delay.percentile(99) / 1e9 - sampling / 1000
    delaySeconds = Number.isFinite(seconds) ? Math.max(0, seconds) : 0
    delay.reset()
  }
  const gauge = (name: string, unit: string, description: string, read: () => number) =>
    meter.createObservableGauge(name, { unit, description }).addCallback((result) => result.observe(read()))

  gauge('process.memory.usage', 'By', 'Resident memory', () => process.memoryUsage.rss())
  gauge('v8js.memory.heap.used', 'By', 'JavaScript heap in use', () => process.memoryUsage().heapUsed)
  gauge('process.cpu.utilization', '1', 'Processors in use; 1 is one of them', () => {
    measure()
    return utilization
  })
  gauge('nodejs.eventloop.delay.p99', 's', 'Event loop delay', () => {
    measure()
    return delaySeconds
  })
  gauge('process.uptime', 's', 'Time since the start of the process', () => process.uptime())
  meter
    .createObservableCounter('process.cpu.time', { unit: 's', description: 'Time of processors' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage()
      result.observe((user + system) / 1e6)
    })
  return () => delay.disable()
}

/**
 * Self-telemetry of gateway and stack: traces, metrics and logs over OTLP, to a collector such as the local
 * stack's, and the metrics to those who scrape them.
 */
import type { Writable } from 'node:stream'
import { context, propagation, trace, type Meter } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { AggregationTemporalityPreference, OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { createLogStream } from './logStream.ts'
import { createScraper } from './prometheus.ts'
import { createRequestObserver, ownExportHeader, type RequestObserver } from './requestObserver.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface SelfTelemetryOptions {
  serviceName: string
  /** Where it is sent; null for nowhere. */
  collector: CollectorAddress | null
  /** Milliseconds between exports while the product is used. Default 5 s: somebody may be watching. */
  interval?: number
  /** Milliseconds between exports of metrics otherwise. Default 60 s. */
  restInterval?: number
  /** Milliseconds since the product was last used. Default: since the last request that is reported. */
  sinceUse?: () => number
  /**
   * Whether callers are programs: their trace context is continued, and exports of this product are not reported. Not for
   * a server that browsers reach. Default false.
   */
  trustCallers?: boolean
  /** Whether to report memory, processor time and event loop delay. Default false. */
  processGauges?: boolean
}

interface CollectorAddress {
  /** Base URL of OTLP over HTTP. The collector may start later. */
  endpoint: string
  /** The key as it is now. */
  ingestionKey: () => string
}

export interface SelfTelemetry extends RequestObserver {
  /** For further metrics of the process. */
  meter: Meter
  /** A second destination for pino's lines; null without a collector. */
  logStream: Writable | null
  /** The metrics in Prometheus' text format. */
  scrape(): Promise<string>
  /** Exports what is left, then stops. Call it before the collector closes. */
  shutdown(): Promise<void>
}

/** Milliseconds after its last use until the product counts as unused. */
const attention = 60_000

/** Milliseconds that the last export may take. */
const shutdownTimeout = 2000

/** Starts the exports. One for each process: it sets OpenTelemetry's global providers. */
export function startSelfTelemetry(options: SelfTelemetryOptions): SelfTelemetry {
  const { serviceName, collector, trustCallers = false, processGauges = false } = options
  const { interval = 5000, restInterval = 60_000 } = options
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': String(process.pid) })
  const exports = collector && exportsTo(collector, resource, { interval, restInterval })
  const scraper = createScraper()
  const metrics = new MeterProvider({ resource, readers: [scraper.reader, ...(exports ? [exports.metrics] : [])] })
  // Makes the span of a request available to the log lines that it writes.
  exports?.traces.register()
  const meter = metrics.getMeter(serviceName)
  const stopMeasuring = processGauges ? measureProcess(meter) : () => {}

  // Without a collector, the tracer records nothing.
  const observer = createRequestObserver((exports?.traces ?? trace).getTracer(serviceName), meter, trustCallers)
  const { sinceUse = observer.sinceRequest } = options
  // Each export is an insert into three tables, which an unused product would fill with its own metrics.
  const exporting = setInterval(() => {
    if (sinceUse() < attention) void exports?.metrics.forceFlush().catch(() => undefined)
  }, interval)
  exporting.unref()

  return {
    ...observer,
    meter,
    logStream: exports && createLogStream(exports.logs.getLogger(serviceName)),
    scrape: scraper.scrape,
    shutdown: async () => {
      // The process must be able to exit without a collector.
      const timeout = new Promise((resolve) => setTimeout(resolve, shutdownTimeout).unref())
      clearInterval(exporting)
      const ending = [exports?.traces.shutdown(), metrics.shutdown(), exports?.logs.shutdown()]
      await Promise.race([Promise.allSettled(ending), timeout])
      stopMeasuring()
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}

function exportsTo(
  { endpoint, ingestionKey }: CollectorAddress,
  resource: Resource,
  { interval, restInterval }: { interval: number; restInterval: number },
) {
  const exporter = (path: string) => ({
    url: `${endpoint}${path}`,
    headers: async () => ({ authorization: `Bearer ${ingestionKey()}`, [ownExportHeader]: '1' }),
    timeoutMillis: 10_000,
  })
  return {
    traces: new NodeTracerProvider({
      resource,
      spanProcessors: [
        new BatchSpanProcessor(new OTLPTraceExporter(exporter('/v1/traces')), { scheduledDelayMillis: interval }),
      ],
    }),
    metrics: new PeriodicExportingMetricReader({
      // Each export holds what happened since the last one, so that values can be summed over time.
      exporter: new OTLPMetricExporter({
        ...exporter('/v1/metrics'),
        temporalityPreference: AggregationTemporalityPreference.DELTA,
      }),
      exportIntervalMillis: restInterval,
      exportTimeoutMillis: Math.min(restInterval, 10_000),
    }),
    logs: new LoggerProvider({
      resource,
      processors: [
        new BatchLogRecordProcessor({
          exporter: new OTLPLogExporter(exporter('/v1/logs')),
          scheduledDelayMillis: interval,
        }),
      ],
    }),
  }
}

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

/** What gateway and stack report about themselves: traces, metrics and logs over OTLP, to a collector such as the local stack's. */
import type { Writable } from 'node:stream'
import { context, propagation, trace, type Meter } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { AggregationTemporalityPreference, OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { createLogStream } from './logStream.ts'
import { measureProcess } from './processGauges.ts'
import { createRequestObserver, ownExportHeader, type RequestObserver } from './requestObserver.ts'

export interface SelfTelemetryOptions {
  serviceName: string
  /** Base URL of OTLP over HTTP. The collector may start later. */
  endpoint: string
  /** The key as it is now. */
  ingestionKey: () => string
  /** Milliseconds between exports. Default 5 s: somebody may be watching. */
  interval?: number
  /**
   * Whether callers are programs: their trace context is continued, and exports of this product are not reported. Not for
   * a server that browsers reach. Default false.
   */
  trustCallers?: boolean
  /** Whether to report memory, processor time and event loop delay. Default false. */
  processGauges?: boolean
}

export interface SelfTelemetry extends RequestObserver {
  /** For further metrics of the process. */
  meter: Meter
  /** A second destination for pino's lines. */
  logStream: Writable
  /** Exports what is left, then stops. Call it before the collector closes. */
  shutdown(): Promise<void>
}

/** Milliseconds that the last export may take. */
const shutdownTimeout = 2000

/** Starts the exports. One for each process: it sets OpenTelemetry's global providers. */
export function startSelfTelemetry(options: SelfTelemetryOptions): SelfTelemetry {
  const { serviceName, endpoint, ingestionKey, interval = 5000, trustCallers = false, processGauges = false } = options
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': String(process.pid) })
  const exporter = (path: string) => ({
    url: `${endpoint}${path}`,
    headers: async () => ({ authorization: `Bearer ${ingestionKey()}`, [ownExportHeader]: '1' }),
    timeoutMillis: 10_000,
  })

  const traces = new NodeTracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter(exporter('/v1/traces')), { scheduledDelayMillis: interval }),
    ],
  })
  const metrics = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        // Each export holds what happened since the last one, so that values can be summed over time.
        exporter: new OTLPMetricExporter({
          ...exporter('/v1/metrics'),
          temporalityPreference: AggregationTemporalityPreference.DELTA,
        }),
        exportIntervalMillis: interval,
        exportTimeoutMillis: Math.min(interval, 10_000),
      }),
    ],
  })
  const logs = new LoggerProvider({
    resource,
    processors: [
      new BatchLogRecordProcessor({
        exporter: new OTLPLogExporter(exporter('/v1/logs')),
        scheduledDelayMillis: interval,
      }),
    ],
  })
  // Makes the span of a request available to the log lines that it writes.
  traces.register()
  const meter = metrics.getMeter(serviceName)
  const stopMeasuring = processGauges ? measureProcess(meter) : () => {}

  return {
    ...createRequestObserver(traces.getTracer(serviceName), meter, trustCallers),
    meter,
    logStream: createLogStream(logs.getLogger(serviceName)),
    shutdown: async () => {
      // The process must be able to exit without a collector.
      const timeout = new Promise((resolve) => setTimeout(resolve, shutdownTimeout).unref())
      await Promise.race([Promise.allSettled([traces.shutdown(), metrics.shutdown(), logs.shutdown()]), timeout])
      stopMeasuring()
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}

/** The stack's telemetry of itself: traces, metrics and logs through the OpenTelemetry SDK, to its own collector. */
import type { Writable } from 'node:stream'
import { context, propagation, trace } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { AggregationTemporalityPreference, OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { createLogStream } from './logs.ts'
import { measureProcess } from './process.ts'
import { createRequestObserver, ownExportHeader, type RequestObserver } from './requests.ts'

export interface SelfTelemetryOptions {
  serviceName: string
  /** Base address of OTLP over HTTP. It need not answer yet. */
  endpoint: string
  ingestionKey: string
  /** Milliseconds between exports. Default 5 s: someone may be watching. */
  interval?: number
}

export interface SelfTelemetry extends RequestObserver {
  /** A destination for pino's lines, beside the one that people read. */
  logStream: Writable
  /** Sends what is left, then stops. Call it before the collector closes. */
  shutdown(): Promise<void>
}

/** Milliseconds that the last export may take. */
const timeout = 2000

/** One for each process: it takes the place of OpenTelemetry's global providers. */
export function startSelfTelemetry(options: SelfTelemetryOptions): SelfTelemetry {
  const { serviceName, endpoint, ingestionKey, interval = 5000 } = options
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': String(process.pid) })
  const exporter = (path: string) => ({
    url: `${endpoint}${path}`,
    headers: { authorization: `Bearer ${ingestionKey}`, [ownExportHeader]: '1' },
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
        // Each export holds what happened since the last one: a sum over time needs no look at the point before it.
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
  // Keeps the span of a request at hand across its asynchronous parts, for the log lines that it writes.
  traces.register()
  const meter = metrics.getMeter(serviceName)
  const stopMeasuring = measureProcess(meter)

  return {
    ...createRequestObserver(traces.getTracer(serviceName), meter),
    logStream: createLogStream(logs.getLogger(serviceName)),
    shutdown: async () => {
      // A collector that is gone must not keep the process from ending.
      const given = new Promise((resolve) => setTimeout(resolve, timeout).unref())
      await Promise.race([Promise.allSettled([traces.shutdown(), metrics.shutdown(), logs.shutdown()]), given])
      stopMeasuring()
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}

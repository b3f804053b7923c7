/** The gateway's telemetry of itself: its requests and its log, over OTLP, to a collector such as the local stack's. */
import { Writable } from 'node:stream'
import {
  context,
  type Meter,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { type Logger, SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { AggregationTemporalityPreference, OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'

export interface SelfTelemetryOptions {
  serviceName: string
  /** Base address of OTLP over HTTP. It need not answer yet. */
  endpoint: string
  ingestionKey: string
}

export interface SelfTelemetry {
  /** Watches every request of the app that it is registered with: a span, a count, a latency. */
  plugin: FastifyPluginAsync
  /** A destination for pino's lines, beside the one that people read. */
  logStream: Writable
  /** Sends what is left, then stops. */
  shutdown(): Promise<void>
}

/** Milliseconds between exports: someone may be watching. */
const interval = 5000
/** Milliseconds that the last export may take. */
const timeout = 2000

/** One for each process: it takes the place of OpenTelemetry's global providers. */
export function startSelfTelemetry({ serviceName, endpoint, ingestionKey }: SelfTelemetryOptions): SelfTelemetry {
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': String(process.pid) })
  const exporter = (path: string) => ({
    url: `${endpoint}${path}`,
    // The second header tells the stack's collector not to report what is itself a report.
    headers: { authorization: `Bearer ${ingestionKey}`, 'x-own-telemetry': '1' },
  })
  const spanExporter = new OTLPTraceExporter(exporter('/v1/traces'))
  const traces = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(spanExporter, { scheduledDelayMillis: interval })],
  })
  const metricExporter = new OTLPMetricExporter({
    ...exporter('/v1/metrics'),
    temporalityPreference: AggregationTemporalityPreference.DELTA,
  })
  const exportTimes = { exportIntervalMillis: interval, exportTimeoutMillis: interval }
  const metrics = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter: metricExporter, ...exportTimes })],
  })
  const logExporter = new OTLPLogExporter(exporter('/v1/logs'))
  const logs = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: logExporter, scheduledDelayMillis: interval })],
  })
  // Keeps the span of a request at hand for the log lines that it writes.
  traces.register()

  return {
    plugin: requestPlugin(traces.getTracer(serviceName), metrics.getMeter(serviceName)),
    logStream: logStream(logs.getLogger(serviceName)),
    shutdown: async () => {
      // A collector that is gone must not keep the process from ending.
      const given = new Promise((resolve) => setTimeout(resolve, timeout).unref())
      await Promise.race([Promise.allSettled([traces.shutdown(), metrics.shutdown(), logs.shutdown()]), given])
      for (const api of [trace, context, propagation]) api.disable()
    },
  }
}

function requestPlugin(tracer: Tracer, meter: Meter): FastifyPluginAsync {
  const count = meter.createCounter('http.server.requests', { unit: '{request}' })
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  })

  const observe = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const started = performance.now()
    // The pattern, not the address: an address has ids in it, and may have a secret in its query.
    const route = request.routeOptions.url ?? 'unknown'
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
    reply.raw.once('close', () => {
      // 499: the browser went away before its answer.
      const status = reply.raw.writableFinished ? reply.statusCode : 499
      const outcome = { ...attributes, 'http.response.status_code': status }
      span.setAttributes(outcome)
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
      count.add(1, outcome)
      duration.record((performance.now() - started) / 1000, outcome)
    })
    context.with(trace.setSpan(ROOT_CONTEXT, span), done)
  }

  const plugin: FastifyPluginAsync = async (app) => void app.addHook('onRequest', observe)
  // Lets the hook see the whole app, and not only what is registered inside of the plugin.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

const severities: Record<number, SeverityNumber> = {
  10: SeverityNumber.TRACE,
  20: SeverityNumber.DEBUG,
  30: SeverityNumber.INFO,
  40: SeverityNumber.WARN,
  50: SeverityNumber.ERROR,
  60: SeverityNumber.FATAL,
}

function logStream(logger: Logger): Writable {
  return new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => {
      // pino writes one object a line.
      const { level, time, msg, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(line) as Record<string, unknown>
      const number = severities[Number(level)] ?? SeverityNumber.INFO
      const attributes = Object.entries(rest).map(([key, value]) => [
        key,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ])
      logger.emit({
        ...(typeof time === 'number' && { timestamp: time }),
        severityNumber: number,
        severityText: SeverityNumber[number],
        body: typeof msg === 'string' ? msg : '',
        attributes: Object.fromEntries(attributes),
      })
      done()
    },
  })
}

/** A span, a count and a latency for every request. */
import {
  type Meter,
  propagation,
  ROOT_CONTEXT,
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { isOperational } from '../operations/operationalPaths.ts'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'

/** Marks the exports of this product's own telemetry, which would otherwise be reported in an endless loop. */
export const ownExportHeader = 'x-own-telemetry'

export interface RequestObserver {
  /** Observes every request of the Fastify app that it is registered with. */
  plugin: FastifyPluginAsync
  /** Observes one gRPC call: call the result with the status code when the call ends. */
  observeGrpc(route: string): (code: number) => void
  /** Milliseconds since the last request that was reported; Infinity before the first. */
  sinceRequest(): number
}

/** Seconds. */
const latencyBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** @param trustCallers see `SelfTelemetryOptions` */
export function createRequestObserver(tracer: Tracer, meter: Meter, trustCallers: boolean): RequestObserver {
  const count = meter.createCounter('http.server.requests', { unit: '{request}', description: 'Requests served' })
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Time from the request to the end of its response',
    advice: { explicitBucketBoundaries: latencyBounds },
  })

  let last = -Infinity
  const begin = (method: string, route: string, parent = ROOT_CONTEXT) => {
    const started = (last = performance.now())
    const attributes = { 'http.request.method': method, 'http.route': route }
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    const end = (status: Record<string, number>, failed: boolean) => {
      span.setAttributes(status)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
      count.add(1, { ...attributes, ...status })
      duration.record((performance.now() - started) / 1000, { ...attributes, ...status })
    }
    return { context: trace.setSpan(parent, span), end }
  }

  const observe = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (trustCallers && request.headers[ownExportHeader] !== undefined) return done()
    // Probes are not load, and would fill the telemetry of a deployment that nobody uses.
    if (isOperational(request.routeOptions.url)) return done()
    // The pattern, not the URL: a URL has ids in it, and may have a secret in its query.
    const route = request.routeOptions.url ?? 'unknown'
    const parent = trustCallers ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT
    const { context: active, end } = begin(request.method, route, parent)
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : clientGone
      end({ 'http.response.status_code': status }, status >= 500)
    })
    context.with(active, done)
  }

  return {
    sinceRequest: () => performance.now() - last,
    plugin: withoutEncapsulation(async (app: FastifyInstance) => void app.addHook('onRequest', observe)),
    observeGrpc: (route) => {
      const { end } = begin('POST', route)
      return (code) => end({ 'rpc.grpc.status_code': code }, serverFaults.has(code))
    },
  }
}

/** The status that proxies report when a client disconnects before its response. */
const clientGone = 499

/** gRPC codes of server errors: UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS. */
const serverFaults = new Set([2, 4, 12, 13, 14, 15])

/** Applies the hooks of a plugin to the whole app, and not only to what is registered inside of it. */
function withoutEncapsulation(plugin: FastifyPluginAsync): FastifyPluginAsync {
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

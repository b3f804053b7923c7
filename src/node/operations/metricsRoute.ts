/** `/metrics`: what the process measures, as Prometheus reads it. For this machine, or with a token. */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { FastifyInstance } from 'fastify'
import { sameSecret } from '../secrets/sameSecret.ts'
import { operationalPaths } from './operationalPaths.ts'

export interface MetricsOptions {
  /** The metrics in Prometheus' text format. */
  scrape(): Promise<string>
  /** METRICS_TOKEN. Without it, only this machine may read the metrics. */
  token?: string | undefined
}

export function registerMetrics(app: FastifyInstance, { scrape, token }: MetricsOptions): void {
  let running: Promise<string> | undefined
  app.route({
    method: 'GET',
    url: operationalPaths.metrics,
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8')
      if (!mayRead(request.raw, token)) {
        const problem = token
          ? 'METRICS_TOKEN is required as Bearer token.'
          : 'Only for this machine: set METRICS_TOKEN.'
        if (token) reply.header('www-authenticate', 'Bearer')
        return reply.code(token ? 401 : 403).send(`${problem}\n`)
      }
      // Scrapes at the same time are one.
      running ??= scrape().finally(() => (running = undefined))
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await running)
    },
  })
}

/** A token that is given has to be right, from wherever. */
function mayRead(request: IncomingMessage, token: string | undefined): boolean {
  const { authorization } = request.headers
  if (authorization === undefined) return isLocal(request)
  return token !== undefined && sameSecret(authorization, `Bearer ${token}`)
}

/** Headers that a proxy on this machine adds: its client may be anywhere. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** From a program of this machine, which names it in `Host`: neither a proxy nor a page of another site does. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  if (forwarding.some((name) => headers[name] !== undefined)) return false
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  return ['localhost', '127.0.0.1', '[::1]'].includes(host) && isLoopback(socket.remoteAddress)
}

function isLoopback(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false
  return ipaddr.process(address).range() === 'loopback'
}

/** Ports to listen on, and what to say when one cannot be had. */
import { createServer } from 'node:net'
import type { Config } from '../config.ts'

/** Which variable chooses a port. */
const variables = { apiPort: 'API_PORT', otlpHttpPort: 'OTLP_HTTP_PORT', otlpGrpcPort: 'OTLP_GRPC_PORT' } as const
const names = ['apiPort', 'otlpHttpPort', 'otlpGrpcPort'] as const

/** @param cause what the attempt to listen ended with; gRPC tells the system's code in its text alone */
export function portProblem(config: Config, port: number, cause: unknown): string {
  const variable = names.find((name) => config[name] === port)
  const reason = cause instanceof Error ? cause.message : String(cause)
  const what = reason.includes('EADDRINUSE') ? 'is taken' : `cannot be listened on (${reason})`
  return `Port ${port} ${what}: end what listens there, or set ${variable ? `${variables[variable]} to ` : ''}another port.`
}

/** A port that is free now, for parts that must know it before they listen. Rejects when the one asked for is not. */
export function freePort(host: string, wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(wanted, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : wanted))
    })
  })
}

/** The address of a port of this machine, as this machine itself reaches it. */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

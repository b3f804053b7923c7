/** Ports to listen on, and the error message for a port that is in use. */
import { createServer } from 'node:net'
import type { Config } from '../config.ts'

/** The variable of each port. */
const variables = { apiPort: 'API_PORT', otlpHttpPort: 'OTLP_HTTP_PORT', otlpGrpcPort: 'OTLP_GRPC_PORT' } as const
const names = ['apiPort', 'otlpHttpPort', 'otlpGrpcPort'] as const

/** @param cause the error of listening; gRPC has the system's code only in its message */
export function portProblem(config: Config, port: number, cause: unknown): string {
  const variable = names.find((name) => config[name] === port)
  const reason = cause instanceof Error ? cause.message : String(cause)
  const problem = reason.includes('EADDRINUSE') ? 'is already in use' : `cannot be opened (${reason})`
  const setting = variable ? `${variables[variable]} to ` : ''
  return `Port ${port} ${problem}. Stop the program that uses it, or set ${setting}another port.`
}

/** A free port, for parts that must know it before they listen. Rejects if the wanted port is in use. */
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

/** The URL of a port of this machine. */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

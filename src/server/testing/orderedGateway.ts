/** A gateway with options that another process can send. Its process loads no stack. */
import pino from 'pino'
import { consoleHeader } from '#contract/wire/gatewayWire.ts'
import { startGateway } from '#gateway/gateway.ts'
import type { Gateway, GatewayOptions } from '#gateway/gatewayOptions.ts'

/** The options of a gateway that can be sent to another process as JSON. */
export type GatewayOrder = { distDir: string } & Pick<
  GatewayOptions,
  'acceptDataLoss' | 'dataDir' | 'databaseUrl' | 'secret' | 'publicUrl' | 'seeds' | 'budgets' | 'tuning'
> &
  Partial<Pick<GatewayOptions, 'port'>>

/** Starts a gateway for tests. */
export function startOrdered({ distDir, ...order }: GatewayOrder): Promise<Gateway> {
  const options = { host: '127.0.0.1', port: 0, pages: { distDir }, logger: pino({ level: 'silent' }), build: 'test' }
  return startGateway({ ...options, ...order })
}

export function headersFor(gateway: Pick<Gateway, 'address'>) {
  return { [consoleHeader]: '1', origin: gateway.address, 'content-type': 'application/json' }
}

export async function signIn(gateway: Pick<Gateway, 'address' | 'signInUrl'>): Promise<string> {
  const token = gateway.signInUrl().split('#token=')[1]
  const body = JSON.stringify({ token })
  const entry = await fetch(`${gateway.address}/api/session`, { method: 'POST', headers: headersFor(gateway), body })
  return entry.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** A gateway on a data directory of its own, signed in. */
import { join } from 'node:path'
import pino from 'pino'
import { minimalPages } from '../src/gateway/testing/minimalPages.ts'
import { consoleHeader } from '#contract/wire/gatewayWire.ts'
import type { Seed } from '#gateway/connections/connections.ts'
import { startGateway } from '#gateway/gateway.ts'

export interface BenchGateway {
  /** @throws for every error */
  text(path: string): Promise<string>
  close(): Promise<void>
}

/** A connection to a deployment. */
export function openSource(baseUrl: string): Seed & { variant: 'openSource' } {
  const accessKey = 'a-key-that-nobody-checks'
  return { id: 'bench', name: 'bench', variant: 'openSource', baseUrl, allowPrivate: true, accessKey }
}

export async function startBenchGateway(folder: string, seeds: readonly Seed[]): Promise<BenchGateway> {
  const distDir = minimalPages(folder)
  const { address, signInUrl, close } = await startGateway({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(folder, 'data'),
    pages: { distDir },
    logger: pino({ level: 'silent' }),
    build: 'bench',
    seeds,
  })
  const headers = { [consoleHeader]: '1', origin: address, 'content-type': 'application/json' }
  const body = JSON.stringify({ token: signInUrl().split('#token=')[1] })
  const entry = await fetch(`${address}/api/session`, { method: 'POST', headers, body })
  const cookie = entry.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    async text(path) {
      const response = await fetch(address + path, { headers: { ...headers, cookie } })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return text
    },
    close,
  }
}

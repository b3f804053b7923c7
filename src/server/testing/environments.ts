/** Two stacks without an engine and a gateway in front of both, signed in, for tests of what happens between them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { startTestStack, type TestStack } from '#stack/testing/testStack.ts'
import { headersFor, signIn, startOrdered, type GatewayOrder } from './orderedGateway.ts'

interface GatewayAnswer {
  status: number
  /** The cookie that it sets; empty for none. */
  cookie: string
  // Tests look at whatever came.
  json: any // oxlint-disable-line typescript/no-explicit-any
}

export interface Environments {
  /** The options that its gateway was started with. */
  order: GatewayOrder
  staging: TestStack
  production: TestStack
  /** The data directory of the gateway. */
  dataDir: string
  /** Where its gateway listens. */
  url(): string
  /** A request as the page makes it. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<GatewayAnswer>
  /** A file, as the page reads it. */
  download(path: string): Promise<{ status: number; headers: Headers; bytes: Uint8Array }>
  /** Ends the gateway and starts another one on the same data, with something done in between. */
  restart(meanwhile?: () => void): Promise<void>
  close(): Promise<void>
}

const unlimited = { limit: 1_000_000, window: 60_000 }

/**
 * Connections `staging` and `production` reach the open-source variants, `cloud` the managed one of production.
 * @param spelling of production: `clickhouse` has the names of real deployments
 */
export async function startEnvironments(spelling: keyof typeof namingProfiles = 'neutral'): Promise<Environments> {
  const staging = await startTestStack()
  const production = await startTestStack({ names: namingProfiles[spelling] })
  const folder = mkdtempSync(join(tmpdir(), 'environments-'))
  const dataDir = join(folder, 'data')
  const distDir = minimalPages(folder)
  const order: GatewayOrder = {
    dataDir,
    distDir,
    seeds: [
      openSource('staging', staging),
      openSource('production', production),
      managed('cloud', production, spelling),
    ],
    budgets: Object.fromEntries(
      [staging.url, production.url].map((url) => [url, { openSource: unlimited, managed: unlimited }] as const),
    ),
  }
  const start = () => startOrdered(order)
  let gateway = await start()
  let own = await signIn(gateway)
  return {
    order,
    staging,
    production,
    dataDir,
    url: () => gateway.address,
    async call(method, path, body, headers = {}) {
      const response = await fetch(gateway.address + path, {
        method,
        headers: { ...headersFor(gateway), cookie: own, ...headers },
        ...(body === undefined ? {} : { body: stringifyJson(body) }),
      })
      const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
      return { status: response.status, cookie, json: parseJson(await response.text()) }
    },
    async download(path) {
      const response = await fetch(gateway.address + path, { headers: { ...headersFor(gateway), cookie: own } })
      return { status: response.status, headers: response.headers, bytes: await response.bytes() }
    },
    async restart(meanwhile) {
      await gateway.close()
      meanwhile?.()
      gateway = await start()
      own = await signIn(gateway)
    },
    async close() {
      await gateway.close()
      await staging.close()
      await production.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function openSource(id: string, { url, identity }: TestStack) {
  const accessKey = identity.personalAccessKey
  return { id, name: id, variant: 'openSource' as const, baseUrl: url, allowPrivate: true, accessKey }
}

function managed(id: string, { url, identity }: TestStack, naming: keyof typeof namingProfiles) {
  const { organizationId, serviceId, keyId, keySecret } = identity
  const common = { id, name: id, variant: 'managed' as const, baseUrl: url, allowPrivate: true, naming }
  return { ...common, organizationId, serviceId, keyId, keySecret }
}

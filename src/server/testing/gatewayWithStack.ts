/** A stack without an engine and a gateway in front of it, signed in, for tests of what they do together. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { minimalPages } from '#gateway/testing/minimalPages.ts'
import { consoleHeader } from '#contract/wire/gatewayWire.ts'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { startGateway } from '#gateway/gateway.ts'
import { startTestStack, type TestStack } from '#stack/testing/testStack.ts'

export interface GatewayAnswer {
  status: number
  /** The body of the gateway's response: `gatewayReply` or `apiError`. */
  body: Record<string, unknown>
}

export interface GatewayWithStack {
  stack: TestStack
  /** A request as the page makes it, path from `/api/c/` on. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<GatewayAnswer>
  close(): Promise<void>
}

/** Two connections to each variant of the stack, under two spellings of its address. */
export const testConnections = { openSource: ['oss', 'oss-2'], managed: ['managed', 'managed-2'] } as const

/** Scaling takes effect immediately, so that the saved values are shown. */
const cloud = { behavior: { convergenceSeconds: 0, transientZeros: false, quantityStrings: false } }

/** The limit of a single browser is lower than the number of requests in these tests. */
const sessions = 12

export async function startGatewayWithStack(): Promise<GatewayWithStack> {
  const stack = await startTestStack({ cloud })
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'))
  const distDir = minimalPages(folder)
  const unlimited = { limit: Number.POSITIVE_INFINITY, window: 60_000 }
  const other = stack.url.replace('127.0.0.1', 'localhost')
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(folder, 'data'),
    pages: { distDir },
    logger: pino({ level: 'silent' }),
    build: 'test',
    seeds: [stack.url, other].flatMap((baseUrl, at) => seedsTo(stack, baseUrl, at)),
    budgets: Object.fromEntries(
      [stack.url, other].map((url) => [url, { openSource: unlimited, managed: unlimited }] as const),
    ),
  })
  const own = { [consoleHeader]: '1', origin: gateway.address, 'content-type': 'application/json' }
  async function signIn(): Promise<string> {
    const token = gateway.signInUrl().split('#token=')[1]
    const body = JSON.stringify({ token })
    const entry = await fetch(`${gateway.address}/api/session`, { method: 'POST', headers: own, body })
    return entry.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const cookies: string[] = []
  for (let session = 0; session < sessions; session++) cookies.push(await signIn())
  let calls = 0
  return {
    stack,
    async call(method, path, body, headers = {}) {
      const response = await fetch(`${gateway.address}/api/c/${path}`, {
        method,
        headers: { ...own, cookie: cookies[calls++ % sessions] ?? '', ...headers },
        ...(body === undefined ? {} : { body: stringifyJson(body) }),
      })
      const text = await response.text()
      // The gateway only responds with objects.
      return { status: response.status, body: parseJson(text) as Record<string, unknown> }
    },
    async close() {
      await gateway.close()
      await stack.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function seedsTo({ identity }: TestStack, baseUrl: string, at: number) {
  const { personalAccessKey, keyId, keySecret, organizationId, serviceId } = identity
  const common = { baseUrl, allowPrivate: true }
  return [
    {
      ...common,
      id: testConnections.openSource[at] ?? '',
      name: `Open source ${at}`,
      variant: 'openSource' as const,
      accessKey: personalAccessKey,
    },
    {
      ...common,
      id: testConnections.managed[at] ?? '',
      name: `Managed ${at}`,
      variant: 'managed' as const,
      organizationId,
      serviceId,
      keyId,
      keySecret,
    },
  ]
}

/** A stack without an engine for tests: a temporary data folder, both variants on a free port, real HTTP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import { namingProfiles } from '#contract/wire/naming.ts'
import { currentTime, wallClock, type WallClock } from '#node/clock/wallClock.ts'
import { preparedFile } from '#node/testing/preparedFile.ts'
import type { z } from 'zod'
import type { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { startServiceData } from '../backups/serviceData.ts'
import { createApp, type AppOptions } from '../http/app.ts'
import type { ChartBehavior } from '../config.ts'
import { firstStart, type FirstContent, type NewSource } from '../startup/firstStart.ts'
import type { Sample } from '../sample/sampleTelemetry.ts'
import type { Identity } from '../store/identity.ts'
import type { CloudOptions } from '../pipes/runtime.ts'
import { openRetention } from '../storage/retentionSettings.ts'
import { openStore, openUnmarked, type Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { EngineAddress } from '../telemetry/engine/engineAddress.ts'
import { addressPolicy, type AddressPolicy } from '../net/webhookAddress.ts'
import { startTestCloud } from './testCloud.ts'
import { testTasks } from './testTasks.ts'
import { startTestNotifier } from './testNotifier.ts'
import type { NotifierOptions } from '../notifications/notifier.ts'
import { unitOfAlert } from '../notifications/unitOfAlert.ts'
import { sourceRows } from '../resources/sources.ts'
import { databasesFor } from '../resources/sourceTables.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when it is not. */
  json: any // oxlint-disable-line typescript/no-explicit-any -- tests look at whatever came
}

interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

interface StackClient {
  /** A call without a key. */
  send(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A call to the open-source variant, path from `/api/v2` on. */
  openSource(method: string, path: string, body?: unknown): Promise<Answer>
  /** A call to the managed variant, path from the stack resources on. */
  managed(method: string, path: string, body?: unknown): Promise<Answer>
}

export interface TestStack extends StackClient {
  url: string
  dataDir: string
  store: Store
  identity: Identity
  /** Ids of the default sources, by kind. */
  sourceIds: Record<string, string>
  webhookId: string
  close(): Promise<void>
}

const sources: readonly NewSource[] = (['log', 'trace', 'metric', 'session'] as const).map((kind) => ({
  name: kind,
  kind,
  from: { databaseName: 'default', tableName: `otel_${kind}` },
  timestampValueExpression: 'Timestamp',
}))

const emptyDashboard: z.output<typeof dashboardCreateStrict> = { name: 'First', tiles: [] }

/** Sources of four kinds, one webhook, one dashboard without tiles. */
export const firstContent: FirstContent = { sources, dashboards: [{ dashboard: () => emptyDashboard }] }

interface TestOptions extends Partial<Omit<AppOptions, 'parts'>> {
  logger?: Logger
  engine?: Engine
  engineAddress?: EngineAddress
  sourceDatabases?: readonly string[]
  sample?: Sample
  cloud?: Partial<CloudOptions>
  webhookAddresses?: AddressPolicy
  notifications?: Partial<NotifierOptions>
  chartBehavior?: ChartBehavior
  /** A PostgreSQL server that keeps the records instead of a file. */
  databaseUrl?: string
  /** The clock of backups. */
  now?: () => number
  /** Days that telemetry is kept. Default: 30. */
  retentionDays?: number
  /** The clock of deletions. */
  clock?: Pick<WallClock, 'deletionTime'>
}

/** Asks no name server: names have no address here. */
export const testAddresses = addressPolicy({ allowed: [], own: [] }, async () => [])

const prepared = preparedFile('stack.db', async (file) => (await openUnmarked({ file })).close())

async function newStore(dataDir: string, databaseUrl: string | undefined): Promise<Store> {
  if (databaseUrl) return openStore({ url: databaseUrl, dataDir })
  const file = join(dataDir, 'stack.db')
  await writeFile(file, await prepared(), { mode: 0o600 })
  return openStore({ file })
}

/** Without rate limits unless they are given; quiet unless a logger is given. */
export async function startTestStack(options: TestOptions = {}): Promise<TestStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stack-'))
  const {
    engine = null,
    engineAddress,
    sourceDatabases = [],
    sample = null,
    cloud: cloudOptions,
    webhookAddresses = testAddresses,
    notifications: notifierOptions,
    chartBehavior = 'own',
    databaseUrl,
    now = currentTime,
    retentionDays = 30,
    clock = wallClock,
    ...appOptions
  } = options
  const store = await newStore(dataDir, databaseUrl)
  const identity = await firstStart(store, firstContent)
  const { tasks, presence } = await testTasks(store, dataDir)
  const cloud = await startTestCloud(store, dataDir, { engine, tasks, ...cloudOptions })
  const logger = appOptions.logger ?? pino({ level: 'silent' })
  const stackServiceId = identity.serviceId
  const serviceData = await startServiceData({ store, engine, cloud, tasks, stackServiceId, logger, now })
  const readable = async () => ({
    sources: await sourceRows.all(store),
    databases: await databasesFor({ engine, store, sourceDatabases }),
  })
  const notifications = await startTestNotifier(store, {
    ...(engine && { unitOf: (alert) => unitOfAlert(alert, { engine, store, readable }) }),
    ...notifierOptions,
  })
  const app = await createApp({
    parts: {
      store,
      identity,
      engine,
      ...(engineAddress && { engineAddress }),
      sourceDatabases,
      sample,
      consoleUrl: 'http://console.test',
      cloud,
      serviceData,
      webhookAddresses,
      notifications,
      chartBehavior,
      dataDir,
      retention: await openRetention(store, retentionDays, clock),
    },
    names: namingProfiles.neutral,
    rateLimits: { openSource: 0, managed: 0 },
    corsOrigin: '',
    logger: pino({ level: 'silent' }),
    ...appOptions,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const client = clientOf(url, identity, options.names ?? namingProfiles.neutral)
  const { openSource } = client
  const listed = (await openSource('GET', '/sources')).json.data as { id: string; kind: string }[]
  return {
    url,
    dataDir,
    store,
    identity,
    sourceIds: Object.fromEntries(listed.map(({ id, kind }) => [kind, id])),
    webhookId: (await openSource('GET', '/webhooks')).json.data[0].id,
    ...client,
    async close() {
      await app.close()
      await notifications.close()
      await serviceData.close()
      await cloud.close()
      await presence.leave()
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Sends requests to both variants, with the keys of the first start. */
function clientOf(url: string, identity: Identity, names: AppOptions['names']): StackClient {
  const { personalAccessKey, keyId, keySecret, organizationId, serviceId } = identity

  async function send(method: string, path: string, { body, headers }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  const openSource = (method: string, path: string, body?: unknown) =>
    send(method, `/api/v2${path}`, { body, headers: { authorization: `Bearer ${personalAccessKey}` } })
  const managed = (method: string, path: string, body?: unknown) =>
    send(method, `/v1/organizations/${organizationId}/services/${serviceId}/${names.stack}${path}`, {
      body,
      headers: { authorization: basic(keyId, keySecret) },
    })

  return { send, openSource, managed }
}

export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

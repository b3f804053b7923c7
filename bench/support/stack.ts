/** Parts of the stack in this process, in a temporary folder, shared by the measured work and its baseline. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { namingProfiles } from '#contract/wire/naming.ts'
import type { Source } from '#contract/stack/sources.ts'
import { createApp } from '#stack/http/app.ts'
import { startServiceData } from '#stack/backups/serviceData.ts'
import { readConfig } from '#stack/config.ts'
import { firstStart } from '#stack/startup/firstStart.ts'
import type { Identity } from '#stack/store/identity.ts'
import { createHostCheck } from '#stack/net/reachableHosts.ts'
import { usualPauses } from '#stack/pipes/loads/pipeRunner.ts'
import { startCloud } from '#stack/pipes/runtime.ts'
import { startTestNotifier } from '#stack/testing/testNotifier.ts'
import { testTasks } from '#stack/testing/testTasks.ts'
import { openStore } from '#stack/store/store.ts'
import { stackDashboard } from '#stack/sample/stackDashboard.ts'
import { defaultSources } from '#stack/telemetry/defaultSources.ts'
import { openEngine, type Engine } from '#stack/telemetry/engine/engine.ts'
import { ensureTables } from '#stack/telemetry/tables.ts'

export const quiet = pino({ level: 'silent' })

export interface BenchStack {
  engine: Engine
  identity: Identity
  url: string
  /** A POST with the personal key; rejects unless the answer is 200. */
  post(path: string, body: unknown): Promise<string>
  sources(): Promise<Source[]>
}

export async function withStack<T>(work: (stack: BenchStack) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const engine = await openEngine({ dataDir })
  await ensureTables(engine)
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  const identity = await firstStart(store, { sources: defaultSources(), dashboards: [stackDashboard] })
  const { behavior } = readConfig({})
  const { tasks } = await testTasks(store)
  const cloud = await startCloud({
    store,
    tasks,
    engine,
    fileRoots: [dataDir],
    checkHost: createHostCheck({ allowed: [], own: [] }),
    behavior,
    pipeWord: 'datapipes',
    pauses: usualPauses,
    logger: quiet,
  })
  const serviceData = await startServiceData({
    store,
    engine,
    cloud,
    tasks,
    stackServiceId: identity.serviceId,
    logger: quiet,
  })
  const notifications = await startTestNotifier(store, { interval: 1000 })
  const app = await createApp({
    parts: {
      store,
      identity,
      engine,
      sourceDatabases: [],
      sample: null,
      consoleUrl: '',
      cloud,
      serviceData,
      webhookAddresses: async () => null,
      notifications,
    },
    names: namingProfiles.neutral,
    rateLimits: { openSource: 0, managed: 0 },
    corsOrigin: '',
    logger: quiet,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { authorization: `Bearer ${identity.personalAccessKey}`, 'content-type': 'application/json' }
  const answered = async (response: Response) => {
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return text
  }
  try {
    return await work({
      engine,
      identity,
      url,
      post: async (path, body) =>
        answered(await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })),
      sources: async () =>
        // A list of the stack, checked by its tests.
        (JSON.parse(await answered(await fetch(`${url}/api/v2/sources`, { headers }))) as { data: Source[] }).data,
    })
  } finally {
    await app.close()
    await notifications.close()
    await serviceData.close()
    await cloud.close()
    await store.close()
    await engine.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * A process that can be killed: both variants over the data folder of its first argument, without an engine. The records are
 * in that folder, or in the database of the second argument.
 */
import { join } from 'node:path'
import pino from 'pino'
import { namingProfiles } from '#contract/wire/naming.ts'
import { startServiceData } from '../backups/serviceData.ts'
import { createApp } from '../http/app.ts'
import { firstStart } from '../startup/firstStart.ts'
import { openStore } from '../store/store.ts'
import { startTestCloud } from './testCloud.ts'
import { startTestNotifier } from './testNotifier.ts'
import { firstContent, testAddresses } from './testStack.ts'
import { testTasks } from './testTasks.ts'

const [, , dataDir, url] = process.argv
if (!dataDir) throw new Error('Usage: stackServer.ts DATA_DIR [DATABASE_URL]')
const store = await openStore(
  url ? { url, dataDir, secret: process.env['STACK_SECRET'] } : { file: join(dataDir, 'stack.db') },
)
const identity = await firstStart(store, firstContent)
const { tasks } = await testTasks(store, dataDir)
const cloud = await startTestCloud(store, dataDir, { tasks })
const logger = pino({ level: 'silent' })
const app = await createApp({
  parts: {
    store,
    identity,
    engine: null,
    sourceDatabases: [],
    sample: null,
    cloud,
    serviceData: await startServiceData({
      store,
      engine: null,
      cloud,
      tasks,
      stackServiceId: identity.serviceId,
      logger,
    }),
    consoleUrl: 'http://console.test',
    webhookAddresses: testAddresses,
    notifications: await startTestNotifier(store, { exclusive: !url }),
  },
  names: namingProfiles.neutral,
  rateLimits: { openSource: 0, managed: 0 },
  corsOrigin: '',
  logger,
})
process.send?.({
  type: 'ready',
  url: await app.listen({ host: '127.0.0.1', port: 0 }),
  key: identity.personalAccessKey,
})
process.on('disconnect', () => process.exit(0))

/** Starts the stack: opens its parts in the order of their dependencies, and closes them in reverse. */
import { resolve } from 'node:path'
import { wallClock } from '#node/clock/wallClock.ts'
import { updateCredentialsFile } from '#node/files/credentialsFile.ts'
import { followKey } from '../access/credentialsKey.ts'
import type { KeyPair } from '../access/keyRows.ts'
import type { Config } from '../config.ts'
import { resumeClock } from '../documents/clockMemory.ts'
import type { StackDependencies } from '../resources/context.ts'
import { stackDashboard } from '../sample/stackDashboard.ts'
import { damagedRecords } from '../store/damagedRecords.ts'
import { credentialsOf, type Credentials, type Identity } from '../store/identity.ts'
import { openLiveKeys, type LiveKeys } from '../team/ingestionKeys.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { engineAddress } from '../telemetry/engine/engineAddress.ts'
import { documentedName } from '../telemetry/readableTables.ts'
import { firstStart } from './firstStart.ts'
import { createLogger } from './logging.ts'
import { addSampleCloud } from './sampleCloud.ts'
import { openSampleStaging, type StagingPlace } from './sampleStaging.ts'
import { startServers } from './stackServer.ts'
import { openStorage, type OnClose, type StackStorage } from './stackStorage.ts'
import { startTelemetry, type StackTelemetry } from './stackTelemetry.ts'
import { startWork, type StackWork } from './stackWork.ts'
import { checkStart, toStartFailed } from './startChecks.ts'
import { serviceRows } from '#stack/documents/serviceRows.ts'
import type { Store } from '#stack/store/store.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'

/** The keys, and that of the sample's staging environment while there is one. */
export type StackCredentials = Credentials & { stagingAccessKey?: string }

export interface RunningStack {
  credentials: StackCredentials
  /** 0 for a port that is not open because there is no engine. */
  ports: { api: number; otlpHttp: number; otlpGrpc: number }
  /** False once the process has to be restarted: its telemetry engine has stopped. */
  isAlive(): boolean
  /** Gives `credentials.json` another key of the organization, if it has that key. */
  followKey(pair: KeyPair): Promise<void>
  /** Stops the stack. Acknowledged data is kept. */
  close(): Promise<void>
}

/** Milliseconds between reads of the keys, which other processes may change. */
const keysInterval = 5000

interface StackListeners {
  /** Called when a key of the credentials was rotated, and when the staging environment was removed. */
  onCredentials?: (credentials: StackCredentials) => void
  /** Called before the stack listens, once its keys are known, if its ports are. */
  onOpened?: (opened: Pick<RunningStack, 'credentials' | 'ports'>) => void
}

export async function startStack(config: Config, listeners: StackListeners = {}): Promise<RunningStack> {
  const closing: (() => Promise<void> | void)[] = []
  const close = async () => {
    for (const end of closing.splice(0).toReversed()) {
      // An error in one part must not keep the others open, especially the store.
      try {
        await end()
      } catch (error) {
        process.stderr.write(`Failed to stop a part of the stack: ${String(error)}\n`)
      }
    }
  }
  try {
    const running = await open(config, (end) => closing.push(end), listeners)
    return { ...running, close }
  } catch (error) {
    await close()
    throw toStartFailed(error, config)
  }
}

async function open(config: Config, onClose: OnClose, { onCredentials, onOpened }: StackListeners) {
  await checkStart(config)
  const storage = await openStorage(config, onClose)
  const { engine, store } = storage
  const { identity, staging, keys, credentials } = await openIdentity(config, storage, onClose, onCredentials)
  const expected = expectedPorts(config, engine)
  if (expected) onOpened?.({ credentials: credentials(), ports: expected })
  if (config.sample) await addSampleCloud(store, identity, resolve(config.dataDir, 'files', 'sample'))
  await reportEngineVersion(store, engine)

  const own = await startTelemetry(config, storage, keys, onClose)
  const work = await startWork(config, { storage, own, identity, staging }, onClose)
  const parts = stackParts(config, { storage, own, identity, keys, work })
  const api = await startServers(config, { parts, staging: staging.staging, own, engine }, onClose)

  const { collector } = own
  const { sample } = work
  // In the background, so that the first chart does not wait. An unfinished removal continues in any case.
  if (sample && (config.sample || (await sample.status()).state === 'removing')) await sample.start()
  const followed = async (pair: KeyPair) => {
    if (await followKey(store, pair)) await keys.refresh()
  }
  return {
    credentials: credentials(),
    ports: { api, otlpHttp: collector?.httpPort ?? 0, otlpGrpc: collector?.grpcPort ?? 0 },
    isAlive: () => engine?.isAlive() ?? true,
    followKey: followed,
  }
}

/** The ports that the stack is going to listen on; undefined if the system chooses one. */
function expectedPorts(
  { apiPort, otlpHttpPort, otlpGrpcPort }: Config,
  engine: StackStorage['engine'],
): RunningStack['ports'] | undefined {
  if ([apiPort, otlpHttpPort, otlpGrpcPort].includes(0)) return undefined
  return { api: apiPort, otlpHttp: engine ? otlpHttpPort : 0, otlpGrpc: engine ? otlpGrpcPort : 0 }
}

/** The organization with its keys, and the sample's staging environment. Creates them at the first start. */
async function openIdentity(
  config: Config,
  storage: StackStorage,
  onClose: OnClose,
  onCredentials: StackListeners['onCredentials'],
) {
  const { engine, store } = storage
  const logger = createLogger(config.logLevel)
  const sources = defaultSources(documentedName(engine))
  const identity = await firstStart(store, { sources, dashboards: [stackDashboard] })
  await resumeClock(store, wallClock)
  updateCredentialsFile(config.dataDir, credentialsOf(identity))
  const begins = config.sample && engine !== null
  const place: StagingPlace = await openSampleStaging({ store, dataDir: config.dataDir, begins, sources, logger }, () =>
    onCredentials?.(keys.credentials()),
  )
  const { staging } = place
  if (staging) onClose(() => staging.close())
  const withStaging = (credentials: Credentials): StackCredentials =>
    staging?.isPresent() ? { ...credentials, stagingAccessKey: staging.identity.personalAccessKey } : credentials
  const keys: LiveKeys = await openLiveKeys({
    store,
    logger,
    onChange: (credentials) => {
      updateCredentialsFile(config.dataDir, credentials)
      onCredentials?.(withStaging(credentials))
    },
    // Several stacks may share a database, and `make-admin-key` writes to a file while its stack is running.
    every: keysInterval,
  })
  onClose(() => keys.close())
  return { identity, staging: place, keys, credentials: () => withStaging(keys.credentials()) }
}

interface Opened {
  storage: StackStorage
  own: StackTelemetry
  identity: Identity
  keys: LiveKeys
  work: StackWork
}

/** The dependencies of the handlers. */
function stackParts(config: Config, { storage, own, identity, keys, work }: Opened): StackDependencies {
  const { schedule, sample, cloud, serviceData, notifications, webhookAddresses } = work
  const { collector, use } = own
  return {
    store: storage.store,
    identity,
    engine: use?.engine ?? null,
    ...(schedule && { schedule }),
    ...(config.clickhouseUrl && { engineAddress: engineAddress(config.clickhouseUrl) }),
    sourceDatabases: config.sourceDatabases,
    sample,
    telemetryLosses: storage.telemetryLosses,
    damaged: () => damagedRecords(storage.store),
    dataDir: config.dataDir,
    retention: storage.retention,
    cloud,
    serviceData,
    consoleUrl: config.consoleUrl,
    ...(collector && { collectorPorts: { httpPort: collector.httpPort, grpcPort: collector.grpcPort } }),
    onKeysChanged: keys.refresh,
    webhookAddresses,
    notifications,
    chartBehavior: config.chartBehavior,
  }
}

/**
 * Sets the version that the services report to the version of the engine. Updates `dbVersion` of every service, such
 * as `25.8`. Without an engine it stays.
 */
export async function reportEngineVersion(store: Store, engine: Engine | null): Promise<void> {
  if (!engine) return
  const [answer] = await engine.query<{ version: string }>('SELECT version() AS version')
  const dbVersion = answer?.version.split('.', 2).join('.') ?? ''
  await store.write(async (transaction) => {
    for (const service of await serviceRows.all(transaction)) {
      if (service.dbVersion !== dbVersion) await serviceRows.update(transaction, { ...service, dbVersion })
    }
  })
}

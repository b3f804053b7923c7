/** Starts the stack: opens its parts in the order of their dependencies, and closes them in reverse. */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { startServiceData } from '../backups/serviceData.ts'
import { followKey } from '../access/credentialsKey.ts'
import type { KeyPair } from '../access/keyRows.ts'
import { createAlertMetrics } from '../alerting/alertMetrics.ts'
import { enqueue } from '../alerting/outbox.ts'
import { startEvaluator } from '../alerting/evaluator.ts'
import { createApp } from '../http/app.ts'
import { PortTaken, startCollector, type Collector } from '../collector/collector.ts'
import type { Config } from '../config.ts'
import { startControl } from '../control/controlServer.ts'
import { makeDataDir } from './dataDir.ts'
import { reportEngineVersion } from './engineVersion.ts'
import { firstStart } from './firstStart.ts'
import { ownServices } from '#contract/ownTelemetry.ts'
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import { plainHost } from '#node/addresses.ts'
import { watchDamagedRows } from '#node/database/damagedRows.ts'
import { waitForServer } from '#node/database/waitForServer.ts'
import { UnusableState } from '#node/stateFile.ts'
import { refuseUnfinishedRestore } from '#node/unfinishedRestore.ts'
import { remedy } from '#node/dataLoss/dataLoss.ts'
import { updateCredentialsFile } from '#node/credentialsFile.ts'
import type { HostRules } from '../net/hostRules.ts'
import { credentialsOf, type Credentials } from '../store/identity.ts'
import { createLogger } from './logging.ts'
import { freePort, localUrl, portProblem } from './ports.ts'
import { measureQueues } from './queueGauges.ts'
import { openSample } from './sampleContent.ts'
import { addSampleCloud } from './sampleCloud.ts'
import { openSampleStaging, stagingParts } from './sampleStaging.ts'
import type { StackParts } from '../resources/context.ts'
import { databasesFor } from '../resources/sourceTables.ts'
import { sourceRows } from '../resources/sources.ts'
import { stackDashboard } from '../sample/stackDashboard.ts'
import { recordsOf } from './recordsTarget.ts'
import { resumeClock } from '../documents/clockMemory.ts'
import { createHostCheck } from '../net/reachableHosts.ts'
import { usualPauses } from '../pipes/loads/pipeRunner.ts'
import { startCloud, type RunningCloud } from '../pipes/runtime.ts'
import { startSelfTelemetry, type SelfTelemetry } from '#node/selfTelemetry/selfTelemetry.ts'
import { joinStacks } from '../sharing/presence.ts'
import { sharedTasks, type Tasks } from '../sharing/tasks.ts'
import { openLiveKeys, type LiveKeys } from '../team/liveKeys.ts'
import { damagedRecords, forgetDeletedRecords } from '../store/damagedRecords.ts'
import { rememberReads } from '../store/rememberedReads.ts'
import { openStore, type Store } from '../store/store.ts'
import { defaultSources } from '../telemetry/defaultSources.ts'
import { scheduleQueries } from '../telemetry/scheduling/querySchedule.ts'
import { openEngine, type Engine } from '../telemetry/engine/engine.ts'
import { engineAddress } from '../telemetry/engine/engineAddress.ts'
import { engineId } from '../telemetry/engineId.ts'
import { openEngineMarker } from '../telemetry/engineMarker.ts'
import { EngineMissing } from '../telemetry/engine/engineError.ts'
import { watchUse } from '../telemetry/engine/engineUse.ts'
import { documentedName } from '../telemetry/readableTables.ts'
import { startRetention } from '../storage/retention.ts'
import { openRetention, signalOf, type Retention } from '../storage/retentionSettings.ts'
import { ensureRollups } from '../telemetry/rollups/ensureRollups.ts'
import { startRollupBuilder } from '../telemetry/rollups/rollupBuilder.ts'
import { ensureIndexes } from '../telemetry/indexes/ensureIndexes.ts'
import { startIndexBuilder } from '../telemetry/indexes/indexBuilder.ts'
import { ensureTables } from '../telemetry/tables.ts'
import { addressPolicy, webhookGuard } from '../net/webhookAddress.ts'
import { startNotifier } from '../notifications/notifier.ts'
import { countedRows } from '../notifications/countedRows.ts'
import { unitOfAlert } from '../notifications/unitOfAlert.ts'

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

/** The stack cannot start, for a reason that people can fix. The message is one line. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed'
}

/** Milliseconds between reads of the keys, which other processes may change. */
const keysInterval = 5000

/** Milliseconds between two queries that only test whether the engine answers. */
const engineProbeInterval = 15_000

/** Milliseconds that running requests get when the stack stops. */
const shutdownTimeout = 3000

/** @param onCredentials called when a key of the credentials was rotated, and when the staging environment was removed */
export async function startStack(
  config: Config,
  onCredentials?: (credentials: StackCredentials) => void,
): Promise<RunningStack> {
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
    const running = await open(config, (end) => closing.push(end), onCredentials)
    return { ...running, close }
  } catch (error) {
    await close()
    throw explained(error, config)
  }
}

async function open(
  config: Config,
  onClose: (end: () => Promise<void> | void) => void,
  onCredentials: Parameters<typeof startStack>[1],
) {
  await refuseTakenPorts(config)
  await makeDataDir(config.dataDir).catch((cause: Error) => {
    throw new StartFailed(cause.message, { cause })
  })
  refuseUnfinished(config.dataDir)
  // First, because a folder in use by another process must not be changed.
  const engine = await openTelemetry(config)
  if (engine) {
    onClose(() => engine.close())
    // A stack that nobody uses notices as well when its engine stops.
    const probing = setInterval(() => void engine.query('SELECT 1').catch(() => undefined), engineProbeInterval)
    onClose(() => clearInterval(probing))
  }
  const target = { ...recordsOf(config), acceptDataLoss: config.acceptDataLoss }
  const store = await waitForServer(() => openStore(target), {
    seconds: config.databaseWaitSeconds,
    say: (line) => process.stderr.write(`${line}\n`),
  })
  onClose(() => store.close())
  const retention = await openRetention(store, config.retentionDays)
  const daysOf = (table: string) => retention.of(signalOf(table)).days
  const marker = engine?.kind === 'embedded' ? await openEngineMarker({ ...config, daysOf, engine }) : undefined
  if (marker) onClose(() => marker.close())
  reportLosses(marker?.losses ?? [], config)
  const presence = await joinStacks({
    store,
    dataDir: config.dataDir,
    engine: await engineId(engine),
    logger: createLogger(config.logLevel),
  })
  onClose(() => presence.leave())
  /** For loops that look for work each second. */
  const watched = rememberReads(store)
  const tasks = sharedTasks(watched, presence)
  const sources = defaultSources(documentedName(engine))
  const identity = await firstStart(store, { sources, dashboards: [stackDashboard] })
  await resumeClock(store, wallClock)
  updateCredentialsFile(config.dataDir, credentialsOf(identity))
  const begins = config.sample && engine !== null
  const place = await openSampleStaging(
    { store, dataDir: config.dataDir, begins, sources, logger: createLogger(config.logLevel) },
    () => onCredentials?.(keys.credentials()),
  )
  const { staging } = place
  if (staging) onClose(() => staging.close())
  const withStaging = (credentials: Credentials): StackCredentials =>
    staging?.isPresent() ? { ...credentials, stagingAccessKey: staging.identity.personalAccessKey } : credentials
  const keys = await openLiveKeys({
    store,
    logger: createLogger(config.logLevel),
    onChange: (credentials) => {
      updateCredentialsFile(config.dataDir, credentials)
      onCredentials?.(withStaging(credentials))
    },
    // Several stacks may share a database, and `make-admin-key` writes to a file while its stack is running.
    every: keysInterval,
  })
  onClose(() => keys.close())
  if (config.sample) await addSampleCloud(store, identity, resolve(config.dataDir, 'files', 'sample'))
  await reportEngineVersion(store, engine)

  const otlpHttpPort = config.otlpHttpPort || (await freePort(config.host))
  const collectorUrl = localUrl(config.host, otlpHttpPort)
  const ingestionKey = () => keys.credentials().ingestionKey
  const use = engine && watchUse(engine)
  const telemetry = startSelfTelemetry({
    serviceName: ownServices.stack,
    collector: engine && { endpoint: collectorUrl, ingestionKey },
    trustCallers: true,
    processGauges: true,
    sinceUse: () => use?.sinceLastQuery() ?? Infinity,
  })
  const logger = createLogger(config.logLevel, telemetry.logStream)
  onClose(wallClock.watch(logger))
  if (engine) onClose(await startRetention({ retention, engine, logger }))
  // Servers that share their tables build on each of them: that is up to whoever runs them.
  const buildsIndexes = engine?.dialect.cluster === null
  const indexes = buildsIndexes
    ? startIndexBuilder({ engine, store, tasks, wanted: config.telemetryIndexes, logger })
    : undefined
  if (indexes) onClose(() => indexes.close())
  if (engine) {
    const wanted = config.telemetryRollups
    onClose(startRollupBuilder({ engine, tasks, wanted, logger, now: currentTime }))
  }
  onClose(watchDamagedRows(logger, telemetry.meter, { refresh: () => forgetDeletedRecords(store) }))
  const collector =
    engine && (await collect({ ...config, otlpHttpPort }, { engine, retention, keys, logger, telemetry }))
  if (collector) onClose(() => collector.close())
  // The last export needs the collector.
  onClose(() => telemetry.shutdown())

  const schedule = engine && scheduleQueries(engine)
  const forAlerts = { kind: 'alert', key: 'alerts' } as const
  const readable = (over: Engine) => async () => ({
    sources: await sourceRows.all(store),
    databases: await databasesFor({ engine: over, store, sourceDatabases: config.sourceDatabases }),
  })
  const sample =
    use &&
    openSample({
      store,
      take: () => tasks.take('sample'),
      identity,
      engine: use.engine,
      readable: readable(use.engine),
      sinceLastQuery: use.sinceLastQuery,
      collectorUrl,
      ingestionKey,
      logger,
      isLive: true,
      slices: config.sampleHours,
      staging: place,
    })
  if (sample) onClose(() => sample.close())
  const cloud = await openCloud(config, { store: watched, engine, tasks, logger })
  onClose(() => cloud.close())
  const serviceData = await startServiceData({
    store: watched,
    engine,
    cloud,
    tasks,
    stackServiceId: identity.serviceId,
    logger,
  })
  onClose(() => serviceData.close())
  const alertMetrics = createAlertMetrics(telemetry.meter)
  measureQueues(telemetry.meter, { store, cloud })
  const webhookRules = { ...hostRules(config, config.webhookHosts), allowsBelow: true }
  const notifications = await startNotifier({
    store: watched,
    guard: webhookGuard(webhookRules),
    consoleUrl: config.consoleUrl,
    logger,
    // A file has no other users. Several stacks may share a database.
    exclusive: !store.isShared,
    count: alertMetrics.delivered,
    ...(use && {
      sampleRows: countedRows(schedule?.engineFor(forAlerts, use.engine) ?? use.engine, store, readable(use.engine)),
      unitOf: (alert) => unitOfAlert(alert, { engine: use.engine, store, readable: readable(use.engine) }),
    }),
  })
  onClose(() => notifications.close())
  if (engine && config.alerts) {
    const evaluator = startEvaluator({
      store,
      holder: presence.id,
      engine: schedule?.engineFor(forAlerts) ?? engine,
      readable: readable(engine),
      enqueue,
      logger,
      metrics: alertMetrics,
    })
    onClose(() => evaluator.close())
  }
  const parts: StackParts = {
    store,
    identity,
    engine: use?.engine ?? null,
    ...(schedule && { schedule }),
    ...(config.clickhouseUrl && { engineAddress: engineAddress(config.clickhouseUrl) }),
    sourceDatabases: config.sourceDatabases,
    sample,
    telemetryLosses: marker?.losses ?? [],
    damaged: () => damagedRecords(store),
    dataDir: config.dataDir,
    retention,
    cloud,
    serviceData,
    consoleUrl: config.consoleUrl,
    ...(collector && { collectorPorts: { httpPort: collector.httpPort, grpcPort: collector.grpcPort } }),
    onKeysChanged: keys.refresh,
    webhookAddresses: addressPolicy(webhookRules),
    notifications,
    chartBehavior: config.chartBehavior,
  }
  const app = await createApp({
    parts,
    names: config.names,
    ...(staging && { staging: { parts: stagingParts(parts, staging), isPresent: staging.isPresent } }),
    rateLimits: config.rateLimits,
    proxyAddresses: config.proxyAddresses,
    corsOrigin: config.corsOrigin,
    logger,
    ...(config.faults && { faultsFile: join(config.dataDir, 'faults.json') }),
    observer: telemetry.plugin,
    metrics: { scrape: telemetry.scrape, token: config.metricsToken },
  })
  onClose(() => closeApp(app))
  const api = await listen(app, config)
  const control = await startControl({ dataDir: config.dataDir, engine, indexes, logger })
  onClose(() => control.close())
  if (config.faults) logger.warn('FAULTS=1: faults are injected as defined in DATA_DIR/faults.json')
  logger.info({ port: api }, 'The stack is ready')
  // In the background, so that the first chart does not wait. An unfinished removal continues in any case.
  if (sample && (config.sample || (await sample.status()).state === 'removing')) await sample.start()
  const ports = { api, otlpHttp: collector?.httpPort ?? 0, otlpGrpc: collector?.grpcPort ?? 0 }
  const followed = async (pair: KeyPair) => {
    if (await followKey(store, pair)) await keys.refresh()
  }
  return {
    credentials: withStaging(keys.credentials()),
    ports,
    isAlive: () => engine?.isAlive() ?? true,
    followKey: followed,
  }
}

/** Checked before anything is opened or written. */
async function refuseTakenPorts({ host, apiPort, otlpHttpPort, otlpGrpcPort }: Config): Promise<void> {
  for (const port of [apiPort, otlpHttpPort, otlpGrpcPort]) {
    await freePort(host, port).catch((error: unknown) => {
      throw new PortTaken(port, error)
    })
  }
}

/** The command `restore` was killed. */
function refuseUnfinished(dataDir: string): void {
  try {
    refuseUnfinishedRestore(dataDir)
  } catch (error) {
    throw error instanceof UnusableState ? new StartFailed(error.message, { cause: error }) : error
  }
}

/** The stack's own engines may not be addressed by webhooks or pipes, unless the allowlist has them. */
function hostRules({ clickhouseUrl, databaseUrl }: Config, allowed: readonly string[]): HostRules {
  const engines = [clickhouseUrl, databaseUrl].flatMap((url) => (url && URL.canParse(url) ? [new URL(url)] : []))
  // The URL of a database may have its host as a parameter.
  const hosts = engines.flatMap((url) => [plainHost(url.hostname), url.searchParams.get('host') ?? ''])
  return { allowed, own: hosts.filter(Boolean).map((host) => host.toLowerCase()) }
}

/** Runs the data pipes. They read files below PIPE_FILES_ROOT and below DATA_DIR/files. */
async function openCloud(
  config: Config,
  parts: { store: Store; engine: Engine | null; tasks: Tasks; logger: Logger },
): Promise<RunningCloud> {
  const files = resolve(config.dataDir, 'files')
  await mkdir(files, { recursive: true, mode: 0o700 })
  const fileRoots = config.pipeFilesRoot ? [resolve(config.pipeFilesRoot), files] : [files]
  const checkHost = createHostCheck(hostRules(config, config.pipeHosts))
  return startCloud({
    ...parts,
    fileRoots,
    checkHost,
    behavior: config.behavior,
    pipeWord: config.names.pipes,
    kinesisEndpoint: config.kinesisEndpoint,
    pauses: usualPauses,
  })
}

/** The engine with its tables; null if none is wanted, and with a warning if it is not available on this machine. */
async function openTelemetry(config: Config): Promise<Engine | null> {
  if (config.telemetry === false) return null
  try {
    const { clickhouseUrl: url, clickhouseCluster: cluster, dataDir, acceptDataLoss } = config
    const engine = await openEngine(url ? { url, cluster } : { dataDir, acceptDataLoss })
    await ensureTables(engine, config.retentionDays)
    await ensureIndexes(engine, config.telemetryIndexes)
    await ensureRollups(engine, config.telemetryRollups, config.retentionDays)
    return engine
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error
    createLogger(config.logLevel).warn(`Telemetry is not available: ${error.message}`)
    return null
  }
}

/** In the log. The page shows them, too. */
function reportLosses(losses: readonly string[], config: Config): void {
  if (losses.length === 0) return
  const logger = createLogger(config.logLevel)
  for (const loss of losses) logger.warn(`Telemetry is missing: ${loss}`)
  logger.warn(`Telemetry is missing. ${remedy('to go on without it')}`)
}

interface CollectorParts {
  engine: Engine
  retention: Retention
  keys: LiveKeys
  logger: Logger
  telemetry: SelfTelemetry
}

function collect(config: Config, { engine, retention, keys, logger, telemetry }: CollectorParts): Promise<Collector> {
  return startCollector({
    host: config.host,
    httpPort: config.otlpHttpPort,
    grpcPort: config.otlpGrpcPort,
    acceptedKeys: keys.accepted,
    engine,
    retentionDays: (signal) => retention.of(signal).days,
    corsOrigins: config.corsOrigin ? [config.corsOrigin] : [],
    logger,
    telemetry,
  })
}

async function listen(app: FastifyInstance, config: Config): Promise<number> {
  try {
    await app.listen({ host: config.host, port: config.apiPort })
  } catch (error) {
    throw new PortTaken(config.apiPort, error)
  }
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : config.apiPort
}

/** Waits for running requests, then closes their connections. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout)
  await app.close()
  clearTimeout(timer)
}

function explained(error: unknown, config: Config): unknown {
  if (!(error instanceof PortTaken)) return error
  return new StartFailed(portProblem(config, error.port, error.cause), { cause: error })
}

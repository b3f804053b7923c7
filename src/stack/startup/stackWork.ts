/** The background work of the stack: sample telemetry, data pipes, backups of services, notifications and alerts. */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Meter } from '@opentelemetry/api'
import { plainHost } from '#node/net/addresses.ts'
import { createAlertMetrics } from '../alerting/alertMetrics.ts'
import { startEvaluator } from '../alerting/evaluator.ts'
import { enqueue, outboxLength } from '../alerting/outbox.ts'
import { startServiceData, type ServiceData } from '../backups/serviceData.ts'
import type { Config } from '../config.ts'
import { type HostRules, createHostCheck } from '../net/reachableHosts.ts'
import { addressPolicy, webhookGuard, type AddressPolicy } from '../net/webhookAddress.ts'
import { countedRows } from '../notifications/countedRows.ts'
import { startNotifier, type Notifications } from '../notifications/notifier.ts'
import { unitOfAlert } from '../notifications/unitOfAlert.ts'
import { usualPauses } from '../pipes/loads/pipeRunner.ts'
import { startCloud, type RunningCloud } from '../pipes/runtime.ts'
import { sourceRows } from '../resources/sources.ts'
import { databasesFor } from '../resources/sourceTables.ts'
import type { Sample } from '../sample/sampleTelemetry.ts'
import type { Tasks } from '../cluster/tasks.ts'
import type { Identity } from '../store/identity.ts'
import type { Store } from '../store/store.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { scheduleQueries, type QuerySchedule } from '../telemetry/scheduling/querySchedule.ts'
import { openSample } from './sampleContent.ts'
import type { StagingPlace } from './sampleStaging.ts'
import type { OnClose, StackStorage } from './stackStorage.ts'
import type { StackTelemetry } from './stackTelemetry.ts'

export interface WorkDependencies {
  storage: StackStorage
  own: StackTelemetry
  identity: Identity
  staging: StagingPlace
}

export interface StackWork {
  schedule: QuerySchedule | null
  /** Null without an engine. */
  sample: Sample | null
  cloud: RunningCloud
  serviceData: ServiceData
  notifications: Notifications
  webhookAddresses: AddressPolicy
}

/** Milliseconds for which a stack that starts again does not generate what its sample lacks: the console starts meanwhile. */
const sampleRest = 2_000

const forAlerts = { kind: 'alert', key: 'alerts' } as const

export async function startWork(config: Config, dependencies: WorkDependencies, onClose: OnClose): Promise<StackWork> {
  const { storage, own, identity } = dependencies
  const { engine, store, watchedStore, tasks } = storage
  const { logger, telemetry } = own
  const schedule = engine && scheduleQueries(engine)
  const sample = startSample(config, dependencies)
  if (sample) onClose(() => sample.close())
  const cloud = await openCloud(config, { store: watchedStore, engine, tasks, logger })
  onClose(() => cloud.close())
  const serviceData = await startServiceData({
    store: watchedStore,
    engine,
    cloud,
    tasks,
    stackServiceId: identity.serviceId,
    logger,
  })
  onClose(() => serviceData.close())
  measureQueues(telemetry.meter, { store, cloud })
  const alerts = await startAlerts(config, dependencies, schedule, onClose)
  return { schedule, sample, cloud, serviceData, ...alerts }
}

/** Notifications, and the evaluation of alerts, which needs an engine. */
async function startAlerts(
  config: Config,
  { storage, own }: WorkDependencies,
  schedule: QuerySchedule | null,
  onClose: OnClose,
): Promise<Pick<StackWork, 'notifications' | 'webhookAddresses'>> {
  const { engine, store, watchedStore, presence } = storage
  const { logger, telemetry, use } = own
  const metrics = createAlertMetrics(telemetry.meter)
  const webhookRules = { ...hostRules(config, config.webhookHosts), allowsBelow: true }
  const notifications = await startNotifier({
    store: watchedStore,
    guard: webhookGuard(webhookRules),
    consoleUrl: config.consoleUrl,
    logger,
    // A file has no other users. Several stacks may share a database.
    exclusive: !store.isShared,
    count: metrics.delivered,
    ...(use && {
      sampleRows: countedRows(
        schedule?.engineFor(forAlerts, use.engine) ?? use.engine,
        store,
        readable(config, store, use.engine),
      ),
      unitOf: (alert) =>
        unitOfAlert(alert, { engine: use.engine, store, readable: readable(config, store, use.engine) }),
    }),
  })
  onClose(() => notifications.close())
  if (engine && config.alerts) {
    const evaluator = startEvaluator({
      store,
      holder: presence.id,
      engine: schedule?.engineFor(forAlerts) ?? engine,
      readable: readable(config, store, engine),
      enqueue,
      logger,
      metrics,
    })
    onClose(() => evaluator.close())
  }
  return { notifications, webhookAddresses: addressPolicy(webhookRules) }
}

function startSample(config: Config, { storage, own, identity, staging }: WorkDependencies): Sample | null {
  const { store, tasks } = storage
  const { use, collectorUrl, ingestionKey, logger } = own
  return (
    use &&
    openSample({
      store,
      take: () => tasks.take('sample'),
      identity,
      engine: use.engine,
      readable: readable(config, store, use.engine),
      sinceLastQuery: use.sinceLastQuery,
      collectorUrl,
      ingestionKey,
      logger,
      isLive: true,
      liveAfter: sampleRest,
      slices: config.sampleHours,
      staging,
    })
  )
}

/** Reads the sources, and the databases that they may name. */
const readable =
  ({ sourceDatabases }: Config, store: Store, engine: Engine) =>
  async () => ({
    sources: await sourceRows.all(store),
    databases: await databasesFor({ engine, store, sourceDatabases }),
  })

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
  dependencies: { store: Store; engine: Engine | null; tasks: Tasks; logger: Logger },
): Promise<RunningCloud> {
  const files = resolve(config.dataDir, 'files')
  await mkdir(files, { recursive: true, mode: 0o700 })
  const fileRoots = config.pipeFilesRoot ? [resolve(config.pipeFilesRoot), files] : [files]
  const checkHost = createHostCheck(hostRules(config, config.pipeHosts))
  return startCloud({
    ...dependencies,
    fileRoots,
    checkHost,
    behavior: config.behavior,
    pipeWord: config.names.pipes,
    kinesisEndpoint: config.kinesisEndpoint,
    pauses: usualPauses,
  })
}

interface MeasuredDependencies {
  store: Store
  cloud: Pick<RunningCloud, 'states'>
}

/** Queues of the stack, and the states of its data pipes, as metrics. */
function measureQueues(meter: Meter, { store, cloud }: MeasuredDependencies): void {
  meter
    .createObservableGauge('alerts.outbox.length', {
      unit: '{notification}',
      description: 'Notifications that are not delivered yet',
    })
    .addCallback(async (result) => {
      // While the records cannot be read, the metric is missing. The others are not.
      const length = await outboxLength(store).catch(() => null)
      if (length !== null) result.observe(length)
    })
  meter.createObservableGauge('pipes', { unit: '{pipe}', description: 'Data pipes by state' }).addCallback((result) => {
    for (const [state, count] of cloud.states()) result.observe(count, { state })
  })
}

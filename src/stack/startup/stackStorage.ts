/** The telemetry engine with its tables, the store of records, and the place of the stack among others. */
import { waitForServer } from '#node/database/waitForServer.ts'
import { remedy } from '#node/files/dataLoss.ts'
import type { Config } from '../config.ts'
import { joinStacks, type Presence } from '../cluster/presence.ts'
import { sharedTasks, type Tasks } from '../cluster/tasks.ts'
import { openRetention, signalOf, type Retention } from '../storage/retentionSettings.ts'
import { rememberReads } from '../store/rememberedReads.ts'
import { openStore, type Store } from '../store/store.ts'
import { openEngine, type Engine } from '../telemetry/engine/engine.ts'
import { EngineMissing } from '../telemetry/engine/engineError.ts'
import { engineId } from '../telemetry/engineId.ts'
import { openEngineMarker } from '../telemetry/engineMarker.ts'
import { ensureIndexes } from '../telemetry/indexes/ensureIndexes.ts'
import { ensureRollups } from '../telemetry/rollups/ensureRollups.ts'
import { ensureTables } from '../telemetry/tables.ts'
import { createLogger } from './logging.ts'
import { recordsOf } from './recordsTarget.ts'

/** Adds what is done when the stack stops. The last one added is the first one done. */
export type OnClose = (end: () => Promise<void> | void) => void

export interface StackStorage {
  /** Null if no telemetry is wanted, or if this machine has no engine. */
  engine: Engine | null
  store: Store
  /** The store for loops that look for work each second. */
  watchedStore: Store
  retention: Retention
  /** Sentences that say which telemetry is missing. */
  telemetryLosses: readonly string[]
  presence: Presence
  tasks: Tasks
}

/** Milliseconds between two queries that only test whether the engine answers. */
const engineProbeInterval = 15_000

export async function openStorage(config: Config, onClose: OnClose): Promise<StackStorage> {
  // First, because a folder in use by another process must not be changed.
  const engine = await openTelemetry(config)
  if (engine) {
    onClose(() => engine.close())
    // A stack that nobody uses notices as well when its engine stops.
    const probing = setInterval(() => void engine.query('SELECT 1').catch(() => undefined), engineProbeInterval)
    onClose(() => clearInterval(probing))
  }
  // At the same time: most of each is waiting.
  const store = await afterBoth(openRecords(config, onClose), engine && prepareTables(engine, config))
  const retention = await openRetention(store, config.retentionDays)
  const daysOf = (table: string) => retention.of(signalOf(table)).days
  const [telemetryLosses, usedEngine] = await Promise.all([
    engine?.kind === 'embedded' ? openMarker({ ...config, daysOf, engine }, onClose) : [],
    engineId(engine),
  ])
  reportLosses(telemetryLosses, config)
  const presence = await joinStacks({
    store,
    dataDir: config.dataDir,
    engine: usedEngine,
    logger: createLogger(config.logLevel),
  })
  onClose(() => presence.leave())
  const watchedStore = rememberReads(store)
  return {
    engine,
    store,
    watchedStore,
    retention,
    telemetryLosses,
    presence,
    tasks: sharedTasks(watchedStore, presence),
  }
}

async function openRecords(config: Config, onClose: OnClose): Promise<Store> {
  const target = { ...recordsOf(config), acceptDataLoss: config.acceptDataLoss }
  const store = await waitForServer(() => openStore(target), {
    seconds: config.databaseWaitSeconds,
    say: (line) => process.stderr.write(`${line}\n`),
  })
  onClose(() => store.close())
  return store
}

/** @returns sentences that say which telemetry is missing */
async function openMarker(
  options: Parameters<typeof openEngineMarker>[0],
  onClose: OnClose,
): Promise<readonly string[]> {
  const marker = await openEngineMarker(options)
  onClose(() => marker.close())
  return marker.losses
}

/** The result of the first, once both have ended: nothing goes on behind an error. */
async function afterBoth<T>(first: Promise<T>, second: Promise<void> | null): Promise<T> {
  const [, other] = await Promise.allSettled([first, second])
  if (other.status === 'rejected') throw other.reason
  return first
}

/** The engine; null if none is wanted, and with a warning if it is not available on this machine. */
async function openTelemetry(config: Config): Promise<Engine | null> {
  if (config.telemetry === false) return null
  try {
    const { clickhouseUrl: url, clickhouseCluster: cluster, dataDir, acceptDataLoss } = config
    return await openEngine(url ? { url, cluster } : { dataDir, acceptDataLoss })
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error
    createLogger(config.logLevel).warn(`Telemetry is not available: ${error.message}`)
    return null
  }
}

async function prepareTables(engine: Engine, config: Config): Promise<void> {
  await ensureTables(engine, config.retentionDays)
  await ensureIndexes(engine, config.telemetryIndexes)
  await ensureRollups(engine, config.telemetryRollups, config.retentionDays)
}

/** Logs them. The page shows them, too. */
function reportLosses(losses: readonly string[], config: Config): void {
  if (losses.length === 0) return
  const logger = createLogger(config.logLevel)
  for (const loss of losses) logger.warn(`Telemetry is missing: ${loss}`)
  logger.warn(`Telemetry is missing. ${remedy('to go on without it')}`)
}

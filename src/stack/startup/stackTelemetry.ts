/** The stack's own telemetry, the collector, and the upkeep of the tables: retention, indexes and roll-ups. */
import type { Logger } from 'pino'
import { ownServices } from '#contract/stack/ownTelemetry.ts'
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import { watchDamagedRows } from '#node/database/damagedRows.ts'
import { startSelfTelemetry, type SelfTelemetry } from '#node/selfTelemetry/selfTelemetry.ts'
import { startCollector, type Collector } from '../collector/collector.ts'
import type { Config } from '../config.ts'
import { startRetention } from '../storage/retention.ts'
import { forgetDeletedRecords } from '../store/damagedRecords.ts'
import type { LiveKeys } from '../team/ingestionKeys.ts'
import { watchUse, type EngineUse } from '../telemetry/engine/engineUse.ts'
import { startIndexBuilder, type IndexBuilder } from '../telemetry/indexes/indexBuilder.ts'
import { startRollupBuilder } from '../telemetry/rollups/rollupBuilder.ts'
import { createLogger } from './logging.ts'
import { freePort, localUrl } from './ports.ts'
import type { OnClose, StackStorage } from './stackStorage.ts'

export interface StackTelemetry {
  telemetry: SelfTelemetry
  logger: Logger
  /** The engine as requests use it, and when they last did; null without one. */
  use: EngineUse | null
  indexes: IndexBuilder | undefined
  /** Null without an engine. */
  collector: Collector | null
  collectorUrl: string
  ingestionKey: () => string
}

export async function startTelemetry(
  config: Config,
  storage: StackStorage,
  keys: LiveKeys,
  onClose: OnClose,
): Promise<StackTelemetry> {
  const { engine, store, retention, tasks } = storage
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
    engine &&
    (await startCollector({
      host: config.host,
      httpPort: otlpHttpPort,
      grpcPort: config.otlpGrpcPort,
      acceptedKeys: keys.accepted,
      engine,
      retentionDays: (signal) => retention.of(signal).days,
      corsOrigins: config.corsOrigin ? [config.corsOrigin] : [],
      logger,
      telemetry,
    }))
  if (collector) onClose(() => collector.close())
  // The last export needs the collector.
  onClose(() => telemetry.shutdown())
  return { telemetry, logger, use, indexes, collector, collectorUrl, ingestionKey }
}

/** The API server of the stack, and the control server of its commands. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { PortTaken } from '../collector/collector.ts'
import type { Config } from '../config.ts'
import { startControl } from '../control/controlServer.ts'
import { createApp } from '../http/app.ts'
import type { StackDependencies } from '../resources/context.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { stagingParts, type SampleStaging } from './sampleStaging.ts'
import type { OnClose } from './stackStorage.ts'
import type { StackTelemetry } from './stackTelemetry.ts'

/** Milliseconds that running requests get when the stack stops. */
const shutdownTimeout = 3000

interface Served {
  parts: StackDependencies
  /** The environment that comes and goes with the sample; null if there is none. */
  staging: SampleStaging | null
  own: StackTelemetry
  engine: Engine | null
}

/** @returns the port of the API */
export async function startServers(
  config: Config,
  { parts, staging, own, engine }: Served,
  onClose: OnClose,
): Promise<number> {
  const { telemetry, logger, indexes } = own
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
  const port = await listen(app, config)
  const control = await startControl({ dataDir: config.dataDir, engine, indexes, logger })
  onClose(() => control.close())
  if (config.faults) logger.warn('FAULTS=1: faults are injected as defined in DATA_DIR/faults.json')
  logger.info({ port }, 'The stack is ready')
  return port
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

/** Starts the gateway of the product. It is most of what the server loads, so that it is imported while the stack starts. */
import { readFileSync } from 'node:fs'
import pino from 'pino'
import { ownServices } from '#contract/stack/ownTelemetry.ts'
import { startGateway } from '#gateway/gateway.ts'
import type { Gateway } from '#gateway/gatewayOptions.ts'
import type { Pages } from '#gateway/http/pages.ts'
import {
  ProviderSettingsError,
  readProviderSettings,
  type ProviderSettings,
} from '#gateway/identity/oidc/providerSettings.ts'
import { NotStored, UnusableState } from '#node/files/atomicFile.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { updateCredentialsFile } from '#node/files/credentialsFile.ts'
import { operationalPaths } from '#node/operations/operationalPaths.ts'
import type { Part } from '#node/operations/probes.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { leaveOutRepeats } from '#node/selfTelemetry/logRepeats.ts'
import { startSelfTelemetry } from '#node/selfTelemetry/selfTelemetry.ts'
import { localUrl } from '#stack/startup/ports.ts'
import { consoleDatabaseUrl } from './consoleDatabase.ts'
import { budgetsFor, seedsFor, stackUrl } from './seeds.ts'
import { StartError, type Settings } from './serverSettings.ts'
import type { StackReady, StackSupervisor } from './stackSupervisor.ts'

interface GatewayDependencies {
  settings: Settings
  pages: Pages
  /** The id of the build. */
  build: string
  /** The keys and ports of the stack of this server, if it has one. It may not listen yet. */
  opened: StackReady | null
  stack: Pick<StackSupervisor, 'ready' | 'onCredentials' | 'followKey'> | null
}

/** Listens once the stack does. @throws StartError with a sentence for the person who starts it */
export async function openGateway({ settings, pages, build, opened, stack }: GatewayDependencies): Promise<Gateway> {
  const { DATA_DIR: dataDir, LOG_LEVEL: level } = settings
  let current = opened
  let follow: ((stack: StackReady) => void) | undefined
  stack?.onCredentials((credentials) => {
    if (!current) return
    current = { ...current, credentials }
    follow?.(current)
  })
  const report = reportTo(settings, opened, () => current?.credentials.ingestionKey ?? '')
  const streams = [pino.destination(2), ...(report.logStream ? [report.logStream] : [])]
  const logger = pino(
    { level, base: { service: 'console-gateway' }, hooks: { logMethod: leaveOutRepeats() } },
    pino.multistream(streams.map((stream) => ({ stream, level }))),
  )
  try {
    const gateway = await startGateway({
      host: settings.HOST,
      port: settings.UI_PORT,
      dataDir,
      databaseUrl: consoleDatabaseUrl(settings),
      databaseWait: {
        seconds: settings.DATABASE_WAIT_SECONDS,
        say: (line) => process.stderr.write(`${line}\n`),
      },
      acceptDataLoss: settings.ACCEPT_DATA_LOSS === '1',
      pages,
      build,
      logger,
      password: settings.CONSOLE_PASSWORD,
      secret: settings.CONSOLE_SECRET,
      sessions: { idle: settings.SESSION_IDLE_HOURS * hour, absolute: settings.SESSION_HOURS * hour },
      proxy: proxyOf(settings),
      proxyAddresses: settings.TRUSTED_PROXY_ADDRESSES,
      providers: providersOf(settings),
      allowedHosts: settings.ALLOWED_HOSTS,
      publicUrl: settings.PUBLIC_URL,
      basePath: settings.BASE_PATH,
      history: { days: settings.HISTORY_DAYS, bytes: settings.HISTORY_MB * 2 ** 20 },
      seeds: opened ? seedsFor(opened, settings) : [],
      stackUrl: opened ? localUrl(settings.HOST, opened.ports.api) : undefined,
      budgets: opened ? budgetsFor(opened, settings) : {},
      followKey: async ({ baseUrl, old, next }) => {
        const isLocal = current && stack && baseUrl === stackUrl(settings, current.ports.api)
        if (!isLocal || current?.credentials.keyId !== old.keyId) return
        await stack.followKey(next).catch(({ message }: Error) => {
          throw failure('failed', `${message} The connections have the key that they had.`)
        })
      },
      observer: report.plugin,
      meter: report.meter,
      metrics: { scrape: report.scrape, token: settings.METRICS_TOKEN },
      parts: { stack: stackPart(settings, opened) },
      stackReady: stack?.ready,
      onSignInUrl: (signInUrl) => updateCredentialsFile(dataDir, { signInUrl }),
    })
    follow = (known) => {
      gateway.followSeeds(seedsFor(known, settings)).catch((error: unknown) => {
        logger.error({ err: error }, 'The rotated keys of the local stack could not be stored. The next start does it.')
      })
    }
    // Keys may have changed while the gateway opened.
    if (current && current !== opened) follow(current)
    const close = async () => {
      await gateway.close()
      await report.shutdown()
    }
    return { ...gateway, close }
  } catch (error) {
    await report.shutdown()
    const isForPerson = error instanceof UnusableState || error instanceof NotStored || error instanceof ApiFailure
    throw isForPerson ? new StartError(error.message, { cause: error }) : error
  }
}

const hour = 3_600_000

/** Without addresses nobody could use the header, and everybody would take it for secured. */
function proxyOf({ TRUSTED_PROXY_HEADER: header, TRUSTED_PROXY_ADDRESSES: addresses }: Settings) {
  if (header === undefined) return undefined
  if (addresses.length > 0) return { header, addresses }
  throw new StartError('TRUSTED_PROXY_HEADER needs TRUSTED_PROXY_ADDRESSES: the addresses of the proxy.')
}

/** @throws StartError for a file that cannot be used. The message quotes no value of it */
function providersOf({ OIDC_PROVIDERS: path }: Settings): ProviderSettings[] {
  if (path === undefined) return []
  try {
    return readProviderSettings(readFileSync(path, 'utf8'), {
      file: (name) => readFileSync(name, 'utf8').trim(),
      env: (name) => process.env[name],
    })
  } catch (error) {
    const isKnown = error instanceof ProviderSettingsError || (error instanceof Error && 'code' in error)
    if (!isKnown) throw error
    throw new StartError(`OIDC_PROVIDERS, ${path}: ${error.message}`, { cause: error })
  }
}

/** The gateway reports its requests and its log to the stack's collector. Without an engine there is no collector. */
function reportTo({ HOST }: Settings, ready: StackReady | null, ingestionKey: () => string) {
  const port = ready?.ports.otlpHttp ?? 0
  return startSelfTelemetry({
    serviceName: ownServices.gateway,
    collector: port === 0 ? null : { endpoint: localUrl(HOST, port), ingestionKey },
    processGauges: true,
  })
}

/** The stack of this server, as its own probe sees it. */
function stackPart({ HOST }: Settings, ready: StackReady | null): Part | null {
  if (!ready) return null
  const url = localUrl(HOST, ready.ports.api) + operationalPaths.ready
  return {
    check: async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(stackDeadline) })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The stack is not ready (${response.status}).`)
    },
    reason: 'The local stack is not ready. GET /readyz on its API port names the reason.',
  }
}

/** Milliseconds. Longer than its own probe takes. */
const stackDeadline = 10_000

/** Options of a gateway, and the interface of a running one. */
import type { Meter } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { ServerWait } from '#node/database/waitForServer.ts'
import type { MetricsOptions } from '#node/operations/metricsRoute.ts'
import type { ProbeTargets } from '#node/operations/probes.ts'
import type { Retries } from '#node/upstream/deployments.ts'
import type { Deadlines, Resolver } from '#node/upstream/egressGuard.ts'
import type { BudgetRules } from '#node/upstream/requestBudget.ts'
import type { KeyChange } from './apiKeys/rotationSteps.ts'
import type { Seed } from './connections/connections.ts'
import type { RetentionLimits } from './history/retention.ts'
import type { HttpTimeouts } from './http/httpApp.ts'
import type { Pages } from './http/pages.ts'
import type { ProviderSettings } from './identity/oidc/providerSettings.ts'
import type { ReadingLimits } from './recordFiles/recordZips.ts'
import type { ViewLimits } from './sharedLinks/sharedLinkRoutes.ts'
import type { SamplingIntervals } from './sampling/samplingInterval.ts'
import type { ProxySettings } from './identity/sessions/proxyHeader.ts'
import type { SessionLimits } from './identity/sessions/sessions.ts'

export interface GatewayOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  dataDir: string
  pages: Pages
  logger: FastifyBaseLogger
  /** Identifies the build: an open page reloads when it changes. */
  build: string
  /** The URL of a PostgreSQL server for the records of the console, instead of `console.db` in the data directory. */
  databaseUrl?: string | undefined
  /** How long to wait for that server while it is away. Default: not at all. */
  databaseWait?: ServerWait | undefined
  /** Go on with records that are damaged, older or others than before, or without them. */
  acceptDataLoss?: boolean | undefined
  /** Offers a lasting sign-in. */
  password?: string | undefined
  /** The passphrase that seals stored keys, instead of `console.key` in the data directory. */
  secret?: string | undefined
  /** Connections that are created when absent. */
  seeds?: readonly Seed[]
  /** When sessions end. */
  sessions?: SessionLimits | undefined
  /** A proxy that authenticates people before their requests arrive. */
  proxy?: ProxySettings | undefined
  /** Addresses or networks of proxies whose `X-Forwarded-For` names the client. */
  proxyAddresses?: readonly string[]
  /** OpenID Connect providers with which people sign in. */
  providers?: readonly ProviderSettings[]
  /** Further hosts of the console, as browsers spell them in the Host header. */
  allowedHosts?: readonly string[]
  /** The URL that people open behind a reverse proxy. https makes the cookie Secure. */
  publicUrl?: string | undefined
  /** The path under which a proxy passes requests on, such as `/console`. Default: none. */
  basePath?: string
  /** The address of the stack of this server, whose page for invitations is shown. */
  stackUrl?: string | undefined
  /** Resolves once that stack listens. Requests to it wait for that, and so does the gateway before it listens. */
  stackReady?: Promise<unknown> | undefined
  /** Observes every request, such as `SelfTelemetry.plugin`. */
  observer?: FastifyPluginAsync
  /** Measures the requests to deployments. */
  meter?: Meter
  /** Serves `/metrics`. */
  metrics?: MetricsOptions
  /** Further conditions before this console is ready. */
  parts?: ProbeTargets
  /** Called with each new sign-in link: at the start, and whenever a link was used. */
  onSignInUrl?: (url: string) => void
  /**
   * Called before connections get another API key, so that the local stack, whose seeds would give its connection the old
   * one back, has the new one first.
   */
  followKey?: ((change: KeyChange) => Promise<void>) | undefined
  /** Rate limits that differ from the default, by the deployment's origin. */
  budgets?: Record<string, BudgetRules>
  /** How long and how much of the history of records is kept. */
  history?: RetentionLimits | undefined
  /** For tests and slow networks. */
  tuning?: {
    deadlines?: Deadlines
    replyLimit?: number
    /** Bytes of responses that may wait for one caller to receive them. */
    unreadLimit?: number
    retries?: Retries
    /** Milliseconds between looks at whether a deployment has noticed a change of a key. */
    keyPauses?: readonly number[]
    resolve?: Resolver
    now?: () => number
    timeouts?: HttpTimeouts
    intervals?: SamplingIntervals
    zipLimits?: ReadingLimits
    /** Milliseconds before each further attempt to send a notification about approvals. */
    noticeRetries?: readonly number[]
    /** Milliseconds between two beats of a console that shares its database. Others notice after twelve that it has ended. */
    beat?: number
    sharedViews?: ViewLimits
    /** Milliseconds that a document waits for the first reads of its page. */
    readDeadline?: number
  }
}

export interface Gateway {
  /** Where people open the console. */
  url: string
  /** Where it listens on this machine. */
  address: string
  /** The current sign-in link. It can be used once. */
  signInUrl(): string
  /** Updates the keys of seeded connections that still exist, and removes temporary ones that are no seeds any more. */
  followSeeds(seeds: readonly Seed[]): Promise<void>
  close(): Promise<void>
}

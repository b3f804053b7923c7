/** The dependencies of handlers. */
import type { DamageSummary } from '#contract/wire/damage.ts'
import type { WireNames } from '#contract/wire/naming.ts'
import type { ActivityFields } from '../access/activityTypes.ts'
import type { Caller } from '../access/caller.ts'
import type { ChartBehavior } from '../config.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { QueryProgress } from '../telemetry/scheduling/queryProgress.ts'
import type { QuerySchedule } from '../telemetry/scheduling/querySchedule.ts'
import type { EngineAddress } from '../telemetry/engine/engineAddress.ts'
import type { Retention } from '../storage/retentionSettings.ts'
import type { Identity } from '../store/identity.ts'
import type { Notifications } from '../notifications/notifier.ts'
import type { Cloud } from '../pipes/model/cloud.ts'
import type { Sample } from '../sample/sampleTelemetry.ts'
import type { ServiceData } from '../backups/serviceData.ts'
import type { Store } from '../store/store.ts'
import type { CallingMember } from '../team/members.ts'
import type { AddressPolicy } from '../net/webhookAddress.ts'

/** The parts that exist as long as the process. */
export interface StackDependencies {
  store: Store
  identity: Identity
  /** The telemetry engine; null if this machine has none. */
  engine: Engine | null
  /** The order in which queries run. Default: a schedule for this app alone. */
  schedule?: QuerySchedule
  /** Where the engine is. Default: the embedded one. */
  engineAddress?: EngineAddress
  /** Further databases that sources may read: SOURCE_DATABASES. */
  sourceDatabases: readonly string[]
  /** The sample telemetry; null without an engine. */
  sample: Sample | null
  /** Sentences that say which telemetry is missing. Default: none is. */
  telemetryLosses?: readonly string[]
  /** The damaged rows that were read so far. Default: none are. */
  damaged?: () => Promise<DamageSummary | undefined>
  /** The folder with everything that is stored here. Default: not known. */
  dataDir?: string
  /** How long telemetry is kept. Default: not known. */
  retention?: Retention
  /** Runs data pipes, and defines how long changes of the cloud take. */
  cloud: Cloud
  /** Makes backups, and the databases of services. */
  serviceData: ServiceData
  /** Which URLs webhooks may have. */
  webhookAddresses: AddressPolicy
  /** Sends, tests and previews notifications. */
  notifications: Notifications
  /** Where people open the console. Links of invitations lead there. */
  consoleUrl: string
  /** Where the collector listens. Default: it does not. */
  collectorPorts?: { httpPort: number; grpcPort: number }
  /** Puts rotated keys into effect in this process. */
  onKeysChanged?: () => Promise<void>
  /** Why alerts are never evaluated. Default: they are. */
  unevaluated?: string
  /** The limits of chart queries. Default: `own`. */
  chartBehavior?: ChartBehavior
}

export interface StackContext extends StackDependencies {
  /** How far the requests of the calling key are, by the names that it gave to them. */
  progressOf(queryIds: readonly string[]): Promise<QueryProgress[]>
  /** The owner of the key of the request; null on the managed variant, whose keys belong to an organization. */
  member: CallingMember | null
  /** Fires when the client disconnects or the request takes too long. Running work may stop then. */
  signal: AbortSignal
  /** The key that calls, and what it may do; null on the open-source variant, where every member may do everything. */
  caller: Caller | null
  /** The names that this stack has on the wire. */
  names: WireNames
  /** Replaces the entries of the activity log that follow from the request; those of the open-source variant are not kept. */
  audited(entries: readonly ActivityFields[]): void
}

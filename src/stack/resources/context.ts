/** What a handler may use. */
import type { ChartBehavior } from '../config.ts'
import type { Engine } from '../telemetry/engine.ts'
import type { Identity } from '../store/identity.ts'
import type { Cloud } from '../pipes/model/cloud.ts'
import type { Sample } from '../sample/sample.ts'
import type { Store } from '../store/store.ts'
import type { AddressPolicy } from '../net/webhookAddress.ts'

/** What lives as long as the process. */
export interface StackParts {
  store: Store
  identity: Identity
  /** The telemetry engine; null where this machine has none. */
  engine: Engine | null
  /** Further databases that sources may read: SOURCE_DATABASES. */
  sourceDatabases: readonly string[]
  /** The sample telemetry; null where there is no engine to hold it. */
  sample: Sample | null
  /** What runs data pipes, and how long the cloud's changes take. */
  cloud: Cloud
  /** Which addresses webhooks may have. */
  webhookAddresses: AddressPolicy
  /** How chart queries are answered; `own` where it is not given. */
  chartBehavior?: ChartBehavior
}

export interface StackContext extends StackParts {
  /** Fires when the client has gone away or waited too long: whatever still runs for it may stop. */
  signal: AbortSignal
}

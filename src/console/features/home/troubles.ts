import type { KeyExpiry } from '#console/shell/apiKeys/keyExpiry.ts'
import type { Pipe } from '#contract/pipes.ts'
import type { Service } from '#contract/services.ts'

/** The pipes, services and keys of a connection that need somebody. */
export interface Troubles {
  /** Whether the deployment has pipes and services. */
  offered: boolean
  pipes?: readonly { pipe: Pipe; serviceId: string }[]
  services?: readonly Service[]
  /** A key that ends soon. */
  expiringKey?: KeyExpiry | undefined
  /** How many there are, in trouble or not. */
  total?: { pipes: number; services: number }
  /** Why it is not known. */
  reason?: string
}

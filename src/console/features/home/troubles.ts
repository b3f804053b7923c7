import type { KeyExpiry } from '#console/shell/apiKeys/keyExpiry.ts'
import type { Pipe } from '#contract/pipes.ts'
import type { Service } from '#contract/services.ts'

export interface OverloadedPipe {
  pipe: Pipe
  serviceId: string
  says: string
}

/** The pipes, services and keys of a connection that need somebody. */
export interface Troubles {
  /** Whether the deployment has pipes and services. */
  offered: boolean
  pipes?: readonly { pipe: Pipe; serviceId: string }[]
  services?: readonly Service[]
  /** Pipes that run at the limit of their size, with the figures. */
  overloaded?: readonly OverloadedPipe[]
  /** Pipes run whose load is not known. */
  isLoadUnknown?: boolean
  /** A key that ends soon. */
  expiringKey?: KeyExpiry | undefined
  /** How many there are, in trouble or not. */
  total?: { pipes: number; services: number }
  /** Why it is not known. */
  reason?: string
}

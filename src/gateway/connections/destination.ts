/** Where a connection leads, and who may send requests to private addresses with it. */
import type { z } from 'zod'
import type { connectionInput, Connection } from '#contract/console/connections.ts'
import { failure } from '#node/upstream/apiFailure.ts'

/** Fields that decide, besides the address, which URLs are requested. */
const steering = ['variant', 'organizationId', 'serviceId', 'naming'] as const
type Steering = (typeof steering)[number]

type Destination = Pick<Connection, 'baseUrl' | Steering>
type DestinationInput = Pick<z.input<typeof connectionInput>, 'baseUrl' | Steering>

/** The canonical spelling of a base address. @throws invalid if the URL standard would read it differently */
export function canonicalAddress(entered: string): string {
  const url = URL.canParse(entered) ? new URL(entered) : null
  const path = /^https?:\/\/[^/]*(.*)$/.exec(entered)?.[1]?.replace(/\/$/, '') ?? ''
  const plain = url && !url.username && !url.password && !url.search && !url.hash && url.port !== '0'
  if (!plain || url.pathname.replace(/\/$/, '') !== path || /[%;]|\/\//.test(path)) {
    const message = 'must be an address such as https://host:8000 or https://host/prefix'
    throw failure('invalid', `The base address ${message}.`, { fields: [{ path: 'baseUrl', message }] })
  }
  return url.origin + path
}

/** Whether requests would go to another place after an edit. */
export function leadsElsewhere(old: Destination, input: DestinationInput): boolean {
  const changed = steering.some((field) => input[field] !== undefined && input[field] !== old[field])
  return changed || canonicalAddress(input.baseUrl) !== old.baseUrl
}

/**
 * Requests to private addresses reach whatever the console's machine reaches. The role on one connection must not give that.
 * @throws forbidden if somebody who is not administrator of the console allows them, or chooses where they go
 */
export function refusePrivateDestination(
  old: Destination & Pick<Connection, 'allowPrivate'>,
  input: DestinationInput & { allowPrivate: boolean },
  administers: boolean,
): void {
  if (administers || !input.allowPrivate) return
  if (!old.allowPrivate) {
    const message = 'Only administrators of this console can allow private addresses.'
    throw failure('forbidden', message, { fields: [{ path: 'allowPrivate', message }] })
  }
  if (leadsElsewhere(old, input)) {
    const message =
      'This connection may reach private addresses, so only administrators of this console can change where it leads.'
    throw failure('forbidden', message, { fields: [{ path: 'baseUrl', message }] })
  }
}

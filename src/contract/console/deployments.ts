/** Which connections lead to the same deployment, and so to the same records. */
import type { Connection } from './connections.ts'

// Browsers and Node both have it; the contract is compiled without the types of either.
declare const URL: new (url: string) => { protocol: string; hostname: string; port: string; pathname: string }

/** The identity of a deployment. */
export type DeploymentAddress = Pick<Connection, 'baseUrl' | 'variant' | 'organizationId' | 'serviceId'>

/** A deployment, and the address that other variants of it share. */
export interface Place {
  deployment: string
  origin: string
}

/** Where records come from: all connections to one deployment by one variant share their history. */
export function placeOf(target: DeploymentAddress): Place {
  const { baseUrl, variant, organizationId, serviceId } = target
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const origin = `${protocol}//${isLoopback(hostname) ? 'loopback' : hostname}:${port}${pathname}`
  const place = variant === 'managed' ? [organizationId, serviceId] : []
  return { deployment: [variant, origin, ...place].join(' '), origin }
}

/** The place of a connection, and the variant of the API that leads there. */
export interface ConnectionPlace extends Place {
  variant: Connection['variant']
}

export const connectionPlace = (target: DeploymentAddress): ConnectionPlace => ({
  ...placeOf(target),
  variant: target.variant,
})

/** Whether two connections lead to the same records, be it by different variants of its API. */
export const sharesRecords = (a: DeploymentAddress, b: DeploymentAddress): boolean =>
  isSamePlace(connectionPlace(a), connectionPlace(b))

/** Whether two places have common records. Places are computed once for many comparisons. */
export function isSamePlace(a: ConnectionPlace, b: ConnectionPlace): boolean {
  return a.deployment === b.deployment || (a.variant !== b.variant && a.origin === b.origin)
}

/** Whether the host of a parsed URL is this machine: `localhost`, `127.x.x.x` or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/.test(hostname)
}

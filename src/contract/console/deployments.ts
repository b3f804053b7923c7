/** Which connections lead to the same deployment, and so to the same records. */
import type { Connection } from './connections.ts'

// Browsers and Node both have it; the contract is compiled without the types of either.
declare const URL: new (url: string) => { protocol: string; hostname: string; port: string; pathname: string }

/** The identity of a deployment. */
export type DeploymentAddress = Pick<Connection, 'baseUrl' | 'variant' | 'organizationId' | 'serviceId'>

/** The location of records: a deployment, and the address that other variants of it share. */
export interface DeploymentLocation {
  deployment: string
  origin: string
}

/** Where records come from: all connections to one deployment by one variant share their history. */
export function locationOf(target: DeploymentAddress): DeploymentLocation {
  const { baseUrl, variant, organizationId, serviceId } = target
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const origin = `${protocol}//${isLoopback(hostname) ? 'loopback' : hostname}:${port}${pathname}`
  const ids = variant === 'managed' ? [organizationId, serviceId] : []
  return { deployment: [variant, origin, ...ids].join(' '), origin }
}

/** The location of a connection, and the variant of the API that leads there. */
export interface ConnectionLocation extends DeploymentLocation {
  variant: Connection['variant']
}

/** To compare locations. IDs of managed deployments are UUIDs, whose case does not matter. */
export function connectionLocation(target: DeploymentAddress): ConnectionLocation {
  const { variant, organizationId, serviceId } = target
  const ids = { organizationId: organizationId?.toLowerCase(), serviceId: serviceId?.toLowerCase() }
  return { ...locationOf({ ...target, ...ids }), variant }
}

/** Whether the IDs of two managed organizations or services are the same. */
export function isSameUuid(a: string | undefined, b: string | undefined): boolean {
  return a?.toLowerCase() === b?.toLowerCase()
}

/** Whether two connections lead to the same records, be it by different variants of its API. */
export const sharesRecords = (a: DeploymentAddress, b: DeploymentAddress): boolean =>
  isSameLocation(connectionLocation(a), connectionLocation(b))

/** Whether two locations have common records. Locations are computed once for many comparisons. */
export function isSameLocation(a: ConnectionLocation, b: ConnectionLocation): boolean {
  return a.deployment === b.deployment || (a.variant !== b.variant && a.origin === b.origin)
}

/** Whether the host of a parsed URL is this machine: `localhost`, `127.x.x.x` or `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/.test(hostname)
}

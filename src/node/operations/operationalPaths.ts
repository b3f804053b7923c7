/** The paths for those who operate a deployment. They are the same on every port, and need no sign-in. */
export const operationalPaths = { health: '/healthz', ready: '/readyz', metrics: '/metrics' } as const

const all: readonly string[] = Object.values(operationalPaths)

/** Probes and scrapers name hosts as they like, and are no part of the load. */
export function isOperational(url: string | undefined): boolean {
  return url !== undefined && all.includes(url)
}

/**
 * The four names that deployments spell differently. Everything in this project says the neutral ones;
 * the gateway and the stack's managed variant translate at their edge, through this file alone.
 */
export interface WireNames {
  /** Path segment of the stack resources. */
  stack: string
  /** Path segment of the data pipes; also the stem of their shared scaling. */
  pipes: string
  /** Field of a service that holds its database version. */
  version: string
  /** How pipe settings begin that belong to the database. */
  settingPrefix: string
}

export const namingProfiles = {
  neutral: { stack: 'stack', pipes: 'datapipes', version: 'dbVersion', settingPrefix: 'db_' },
  clickhouse: { stack: 'clickstack', pipes: 'clickpipes', version: 'clickhouseVersion', settingPrefix: 'clickhouse_' },
} as const satisfies Record<string, WireNames>

/**
 * What the managed variant has beyond the specification where a deployment goes by the product's own names. The stack
 * serves it under these names, and the console expects it there until it is told otherwise.
 */
export const productResources: readonly string[] = ['webhooks']

export type NamingProfile = keyof typeof namingProfiles
export const namingProfileNames = ['neutral', 'clickhouse'] as const satisfies readonly NamingProfile[]

/** Neutral spelling to the deployment's, for the bodies of services and pipes. */
export function toWire(value: unknown, names: WireNames): unknown {
  return respell(value, namingProfiles.neutral, names)
}

/** The deployment's spelling to the neutral one, for the bodies of services and pipes. */
export function fromWire(value: unknown, names: WireNames): unknown {
  return respell(value, names, namingProfiles.neutral)
}

/** One key of such a body, neutral to the deployment's spelling. */
export const keyToWire = (key: string, names: WireNames): string => respellKey(key, namingProfiles.neutral, names)

/** One key of such a body, the deployment's spelling to the neutral one. */
export const keyFromWire = (key: string, names: WireNames): string => respellKey(key, names, namingProfiles.neutral)

function respell(value: unknown, from: WireNames, to: WireNames): unknown {
  if (from.version === to.version && from.settingPrefix === to.settingPrefix) return value
  if (Array.isArray(value)) return value.map((item) => respell(item, from, to))
  // Only plain objects have keys to respell: a number kept as text is an object of a class of its own.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [respellKey(key, from, to), respell(item, from, to)]),
  )
}

function respellKey(key: string, from: WireNames, to: WireNames): string {
  if (key === from.version) return to.version
  if (key.startsWith(from.settingPrefix)) return to.settingPrefix + key.slice(from.settingPrefix.length)
  return key
}

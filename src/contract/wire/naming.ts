/**
 * The five names that differ between deployments. Everything in this project uses the neutral names;
 * the gateway and the stack's managed variant translate them with this file.
 */
export interface WireNames {
  /** Path segment of the stack resources. */
  stack: string
  /** Path segment of the data pipes; also the stem of their shared scaling. */
  pipes: string
  /** The field of a service with its database version. */
  version: string
  /** The prefix of pipe settings of the database. */
  settingPrefix: string
  /** Path segment of the database settings of a service. */
  settings: string
}

export const namingProfiles = {
  neutral: { stack: 'stack', pipes: 'datapipes', version: 'dbVersion', settingPrefix: 'db_', settings: 'dbSettings' },
  clickhouse: {
    stack: 'clickstack',
    pipes: 'clickpipes',
    version: 'clickhouseVersion',
    settingPrefix: 'clickhouse_',
    settings: 'clickhouseSettings',
  },
} as const satisfies Record<string, WireNames>

/**
 * Resources that the managed variant has beyond the specification on deployments with the product's own names. The stack
 * serves them under these names, and the console expects them there.
 */
export const productResources: readonly string[] = ['webhooks']

/** Whether a deployment has the product's own names, where the product's rules apply instead of the specification's. */
export const hasProductNames = (names: WireNames): boolean => names.stack !== namingProfiles.neutral.stack

export type NamingProfile = keyof typeof namingProfiles
export const namingProfileNames = ['neutral', 'clickhouse'] as const satisfies readonly NamingProfile[]

/** Converts bodies of services and pipes to the deployment's names. */
export function toWire(value: unknown, names: WireNames): unknown {
  return respell(value, namingProfiles.neutral, names)
}

/** Converts bodies of services and pipes to neutral names. */
export function fromWire(value: unknown, names: WireNames): unknown {
  return respell(value, names, namingProfiles.neutral)
}

/** Converts one key to the deployment's name. */
export const keyToWire = (key: string, names: WireNames): string => respellKey(key, namingProfiles.neutral, names)

/** Converts one key to the neutral name. */
export const keyFromWire = (key: string, names: WireNames): string => respellKey(key, names, namingProfiles.neutral)

function respell(value: unknown, from: WireNames, to: WireNames): unknown {
  if (from.version === to.version && from.settingPrefix === to.settingPrefix) return value
  if (Array.isArray(value)) return value.map((item) => respell(item, from, to))
  // Only plain objects have keys to rename. LosslessNumber is a class.
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

/** `savedSearch` of `savedSearches`, `alert` of `alerts`. */
export type Singular<Name extends string> = Name extends `${infer One}ches`
  ? `${One}ch`
  : Name extends `${infer One}s`
    ? One
    : Name

export function singular<Name extends string>(name: Name): Singular<Name> {
  return name.replace(/(?<=ch)es$|s$/, '') as Singular<Name> // the same rule
}

/** One record, as a person calls it: `saved search` of `savedSearches`, `API key` of `apiKeys`. */
export const formatRecordName = (name: string): string => formatResourceName(singular(name))

/** `saved searches` of `savedSearches`, `API keys` of `apiKeys`. */
export function formatResourceName(name: string): string {
  return name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^(?:api|sql)\b/, (word) => word.toUpperCase())
}

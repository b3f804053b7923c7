/** The stack's settings from the environment. */
import { z } from 'zod'
import { namingProfileNames, namingProfiles } from '#contract/wire/naming.ts'
import {
  basePathExpectation,
  basePathSetting,
  hasSinglePath,
  publicUrlExpectation,
  underBasePath,
} from '#node/net/basePath.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const count = z.coerce.number().int().min(0)
/** Host names and addresses in lower case. */
const hosts = z
  .string()
  .regex(/^[^\s,/]+(\s*,\s*[^\s,/]+)*$/)
  .transform((list) => list.toLowerCase().split(/[\s,]+/))
  .default([])

/** Databases of the engine itself, which contain no telemetry. */
const engineDatabases = ['system', 'information_schema']
const databases = z
  .string()
  .regex(/^[\w.-]+(\s*,\s*[\w.-]+)*$/)
  .transform((list) => list.split(/[\s,]+/))
  .refine((list) => !list.some((name) => engineDatabases.includes(name.toLowerCase())))
  .default([])

/** The parts of the telemetry that can have indexes. */
const indexNames = [
  'logs.body',
  'logs.attributes',
  'logs.resource',
  'traces.attributes',
  'traces.resource',
  'traces.duration',
  'metrics.attributes',
] as const
export type IndexName = (typeof indexNames)[number]

export interface IndexChoice {
  name: IndexName
  /** `text`: an index of the engine's type text, which lists all words or values. `bloom`: a small filter of them. */
  kind: 'text' | 'bloom'
}

const usualIndexes = 'logs.body:text, logs.attributes:bloom, traces.attributes:bloom, traces.duration'

/** Names, each with a kind after a colon or without; `none` alone. */
const indexes = z.preprocess(
  (list = usualIndexes) => {
    const items = String(list).split(',')
    return String(list).trim() === 'none' ? [] : items.map((item) => item.trim().split(':'))
  },
  z.array(
    z
      .tuple([z.enum(indexNames), z.enum(['text', 'bloom']).optional()])
      .transform(([name, kind]): IndexChoice => ({ name, kind: kind ?? (name === 'logs.body' ? 'text' : 'bloom') })),
  ),
)

/** The roll-ups that the telemetry tables can have. */
export const rollupNames = [
  'logs.counts',
  'logs.keys',
  'logs.values',
  'traces.counts',
  'traces.keys',
  'traces.values',
] as const
export type RollupName = (typeof rollupNames)[number]

/** Values take about as much work at an insert as the rows themselves. */
const usualRollups = rollupNames.filter((name) => !name.endsWith('.values'))

/** Names; `none` alone. */
const rollups = z.preprocess(
  (list = usualRollups.join()) =>
    String(list).trim() === 'none'
      ? []
      : String(list)
          .split(',')
          .map((item) => item.trim()),
  z.array(z.enum(rollupNames)),
)

/** `own`: chart queries can use all functions of the stack. `deployment`: they have the limits of deployments. */
const chartBehaviors = ['own', 'deployment'] as const
export type ChartBehavior = (typeof chartBehaviors)[number]

const variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  API_PORT: port.default(8000),
  OTLP_HTTP_PORT: port.default(4318),
  OTLP_GRPC_PORT: port.default(4317),
  DATA_DIR: z.string().min(1).default('.data'),
  CLICKHOUSE_URL: z.url({ protocol: /^https?$/ }).optional(),
  CLICKHOUSE_CLUSTER: z.string().optional(),
  DATABASE_URL: z.url({ protocol: /^(postgres|postgresql|file)$/ }).optional(),
  DATABASE_WAIT_SECONDS: count.max(3600).default(60),
  STACK_SECRET: z.string().min(16).optional(),
  SOURCE_DATABASES: databases,
  SAMPLE: z.enum(['0', '1']).default('1'),
  NAMING: z.enum(namingProfileNames).default('neutral'),
  RETENTION_DAYS: count.min(1).max(3650).default(30),
  TELEMETRY_INDEXES: indexes,
  TELEMETRY_ROLLUPS: rollups,
  CORS_ORIGIN: z
    .string()
    .regex(/^(https?:\/\/[^\s/]+)?$/)
    .optional(),
  UI_PORT: port.default(8080),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  BASE_PATH: basePathSetting,
  RATE_LIMIT_OPEN_SOURCE: count.default(100),
  RATE_LIMIT_MANAGED: count.default(10),
  CONVERGENCE_SECONDS: z.coerce.number().min(0).max(3600).default(5),
  PIPE_FILES_ROOT: z.string().optional(),
  PIPE_HOSTNAME_ALLOWLIST: hosts,
  KINESIS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  WEBHOOK_HOSTNAME_ALLOWLIST: hosts,
  TRANSIENT_ZEROS: z.enum(['0', '1']).default('0'),
  QUANTITY_STRINGS: z.enum(['0', '1']).default('0'),
  CHART_BEHAVIOR: z.enum(chartBehaviors).default('own'),
  ALERTS: z.enum(['0', '1']).default('1'),
  FAULTS: z.enum(['0', '1']).default('0'),
  TRUSTED_PROXY_ADDRESSES: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))),
  METRICS_TOKEN: z.string().min(16).optional(),
  ACCEPT_DATA_LOSS: z.enum(['0', '1']).default('0'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})
const environment = variables
  .refine(hasSinglePath, { path: ['PUBLIC_URL'] })
  .refine((values) => !values.CLICKHOUSE_CLUSTER || values.CLICKHOUSE_URL, { path: ['CLICKHOUSE_CLUSTER'] })

/** The valid values of each variable, for the error message. */
const expectations: Record<keyof z.infer<typeof environment>, string> = {
  HOST: 'an address to listen on, such as 127.0.0.1',
  API_PORT: 'a port from 0 to 65535',
  OTLP_HTTP_PORT: 'a port from 0 to 65535',
  OTLP_GRPC_PORT: 'a port from 0 to 65535',
  DATA_DIR: 'a folder',
  CLICKHOUSE_URL: 'an address such as http://user:password@host:8123',
  CLICKHOUSE_CLUSTER: 'the name of a cluster of the server of CLICKHOUSE_URL, which has to be set too',
  DATABASE_URL: 'an address such as postgres://user:password@host/database',
  DATABASE_WAIT_SECONDS: 'seconds from 0 to 3600',
  STACK_SECRET: 'at least 16 characters',
  SOURCE_DATABASES: 'names of databases, separated by commas, without system and information_schema',
  SAMPLE: '0 or 1',
  NAMING: namingProfileNames.join(' or '),
  RETENTION_DAYS: 'a number of days from 1 to 3650',
  TELEMETRY_INDEXES: `none, or some of ${indexNames.join(', ')}, separated by commas, each with :text or :bloom or without`,
  TELEMETRY_ROLLUPS: `none, or some of ${rollupNames.join(', ')}, separated by commas`,
  UI_PORT: 'a port from 0 to 65535',
  CORS_ORIGIN: 'one origin such as http://127.0.0.1:8080, or nothing',
  PUBLIC_URL: publicUrlExpectation,
  BASE_PATH: basePathExpectation,
  RATE_LIMIT_OPEN_SOURCE: 'requests in 60 seconds for each key, 0 for no limit',
  RATE_LIMIT_MANAGED: 'requests in 10 seconds for each key, 0 for no limit',
  CONVERGENCE_SECONDS: 'the seconds that changes of services and data pipes take, from 0 to 3600',
  PIPE_HOSTNAME_ALLOWLIST: 'host names or addresses, separated by commas',
  KINESIS_ENDPOINT: 'an address such as http://127.0.0.1:4567',
  WEBHOOK_HOSTNAME_ALLOWLIST: 'host names or addresses, separated by commas',
  PIPE_FILES_ROOT: 'a folder below which data pipes may read files',
  TRANSIENT_ZEROS: '0 or 1',
  QUANTITY_STRINGS: '0 or 1',
  CHART_BEHAVIOR: 'own or deployment',
  ALERTS: '0 or 1',
  FAULTS: '0 or 1',
  TRUSTED_PROXY_ADDRESSES: 'a list of addresses or networks such as 10.2.0.0/16, separated by commas',
  METRICS_TOKEN: 'at least 16 characters',
  ACCEPT_DATA_LOSS: '0 or 1',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
}

export type Config = ReturnType<typeof readConfig> & {
  /** Whether telemetry is stored and read. Default: true. Tests that need none start in a fraction of the time. */
  telemetry?: boolean
  /** Hours of telemetry of the sample. Default: seven days. Tests need less. */
  sampleHours?: number
}

/** An invalid setting. The message is one line with the variable and its valid values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** @throws ConfigError for the first variable with an invalid value */
export function readConfig(env: Record<string, string | undefined>) {
  // An empty variable counts as not set, except CORS_ORIGIN, where it means none.
  const set = Object.entries(env).filter(([name, value]) => value !== '' || name === 'CORS_ORIGIN')
  const parsed = environment.safeParse(Object.fromEntries(set))
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0])
    // The message does not quote the value: a URL may contain a password.
    throw new ConfigError(`${name} must be ${isExpected(name) ? expectations[name] : 'valid'}.`)
  }
  const values = parsed.data
  const ownConsole = `http://127.0.0.1:${values.UI_PORT}`
  return {
    host: values.HOST,
    apiPort: values.API_PORT,
    otlpHttpPort: values.OTLP_HTTP_PORT,
    otlpGrpcPort: values.OTLP_GRPC_PORT,
    dataDir: values.DATA_DIR,
    clickhouseUrl: values.CLICKHOUSE_URL,
    clickhouseCluster: values.CLICKHOUSE_CLUSTER,
    databaseUrl: values.DATABASE_URL,
    /** Encrypts the secrets of the records instead of `stack.key` in the data folder. */
    stackSecret: values.STACK_SECRET,
    /** Further databases that sources may read. */
    sourceDatabases: values.SOURCE_DATABASES,
    sample: values.SAMPLE === '1',
    names: namingProfiles[values.NAMING],
    retentionDays: values.RETENTION_DAYS,
    /** The indexes of the telemetry tables. */
    telemetryIndexes: values.TELEMETRY_INDEXES,
    /** The roll-ups of the telemetry tables. */
    telemetryRollups: values.TELEMETRY_ROLLUPS,
    proxyAddresses: values.TRUSTED_PROXY_ADDRESSES,
    corsOrigin: values.CORS_ORIGIN ?? ownConsole,
    /** Where notifications and invitations link to. */
    consoleUrl: underBasePath(values.PUBLIC_URL ?? (values.CORS_ORIGIN || ownConsole), values.BASE_PATH),
    /** For how long a start waits for a database server that is away. */
    databaseWaitSeconds: values.DATABASE_WAIT_SECONDS,
    /** Requests a key may make: in 60 s on the open-source variant, in 10 s on the managed one. */
    rateLimits: { openSource: values.RATE_LIMIT_OPEN_SOURCE, managed: values.RATE_LIMIT_MANAGED },
    /** How the cloud's resources behave, and where their pipes may read files. */
    behavior: {
      convergenceSeconds: values.CONVERGENCE_SECONDS,
      transientZeros: values.TRANSIENT_ZEROS === '1',
      quantityStrings: values.QUANTITY_STRINGS === '1',
    },
    chartBehavior: values.CHART_BEHAVIOR,
    /** Whether alerts are evaluated. */
    alerts: values.ALERTS === '1',
    pipeFilesRoot: values.PIPE_FILES_ROOT,
    /** Hosts that data pipes may reach although they are private or reserved. */
    pipeHosts: values.PIPE_HOSTNAME_ALLOWLIST,
    /** The address of a Kinesis server other than that of the region. */
    kinesisEndpoint: values.KINESIS_ENDPOINT,
    /** Hosts that webhooks may name although they are private or reserved. */
    webhookHosts: values.WEBHOOK_HOSTNAME_ALLOWLIST,
    /** Lets other machines read the metrics. */
    metricsToken: values.METRICS_TOKEN,
    faults: values.FAULTS === '1',
    /** Whether this start goes on with records that are damaged, older or others than before, or without them. */
    acceptDataLoss: values.ACCEPT_DATA_LOSS === '1',
    logLevel: values.LOG_LEVEL,
  }
}

function isExpected(name: string): name is keyof typeof expectations {
  return Object.hasOwn(expectations, name)
}

/** The console's settings from the environment. The stack reads its own (`stack/config.ts`). */
import { z } from 'zod'
import { basePathExpectation, basePathSetting, hasSinglePath, publicUrlExpectation } from '#node/net/basePath.ts'

const port = z.coerce.number().int().min(1).max(65_535)
const count = z.coerce.number().int().min(0)
const url = z.url({ protocol: /^https?$/ })
const databaseUrl = z.url({ protocol: /^(postgres|postgresql)$/ })
/** A host as browsers spell it in the Host header. */
const host = z.string().regex(/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d+)?$/)

const variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  UI_PORT: port.default(8080),
  DATA_DIR: z.string().min(1).default('.data'),
  CONSOLE_DATABASE_URL: z.union([z.literal('file'), databaseUrl]).optional(),
  DATABASE_WAIT_SECONDS: count.max(3600).default(60),
  CONSOLE_PASSWORD: z.string().min(8).optional(),
  CONSOLE_SECRET: z.string().min(16).optional(),
  SESSION_IDLE_HOURS: z.coerce.number().positive().max(8_760).default(12),
  SESSION_HOURS: z.coerce.number().positive().max(8_760).default(168),
  TRUSTED_PROXY_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/)
    .optional(),
  TRUSTED_PROXY_ADDRESSES: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))),
  OIDC_PROVIDERS: z.string().min(1).optional(),
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(host)),
  PUBLIC_URL: url.optional(),
  BASE_PATH: basePathSetting,
  HISTORY_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
  HISTORY_MB: z.coerce.number().int().min(10).max(1_000_000).default(500),
  METRICS_TOKEN: z.string().min(16).optional(),
  STACK: z.enum(['on', 'off']).default('on'),
  STACK_URL: url.optional(),
  ACCEPT_DATA_LOSS: z.enum(['0', '1']).default('0'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
  // Settings of the stack that its connections depend on.
  NAMING: z.enum(['neutral', 'clickhouse']).default('neutral'),
  RATE_LIMIT_OPEN_SOURCE: count.default(100),
  RATE_LIMIT_MANAGED: count.default(10),
  // The console uses the server of the stack's records, but not a file.
  DATABASE_URL: databaseUrl.optional().catch(undefined),
})
const environment = variables.refine(hasSinglePath, { path: ['PUBLIC_URL'] })

/** The valid values of each variable, for the error message. */
const expectations: Record<keyof z.infer<typeof environment>, string> = {
  HOST: 'an address to listen on, such as 127.0.0.1',
  UI_PORT: 'a port from 1 to 65535',
  DATA_DIR: 'a folder',
  CONSOLE_DATABASE_URL: 'an address such as postgres://user:password@host/database, or file',
  DATABASE_WAIT_SECONDS: 'seconds from 0 to 3600',
  CONSOLE_PASSWORD: 'at least 8 characters',
  CONSOLE_SECRET: 'at least 16 characters',
  SESSION_IDLE_HOURS: 'hours up to 8760',
  SESSION_HOURS: 'hours up to 8760',
  TRUSTED_PROXY_HEADER: 'the name of a header, such as X-Forwarded-Email',
  TRUSTED_PROXY_ADDRESSES: 'a list of addresses or networks such as 10.2.0.0/16, separated by commas',
  OIDC_PROVIDERS: 'the path of a JSON file with OpenID Connect providers',
  ALLOWED_HOSTS: 'a list such as console.example:8080, separated by commas',
  PUBLIC_URL: publicUrlExpectation,
  BASE_PATH: basePathExpectation,
  HISTORY_DAYS: 'days from 1 to 36500',
  HISTORY_MB: 'megabytes from 10 to 1000000',
  METRICS_TOKEN: 'at least 16 characters',
  STACK: 'on or off',
  STACK_URL: 'an address such as https://api.example',
  ACCEPT_DATA_LOSS: '0 or 1',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  NAMING: 'neutral or clickhouse',
  RATE_LIMIT_OPEN_SOURCE: 'requests in 60 seconds for each key, 0 for no limit',
  RATE_LIMIT_MANAGED: 'requests in 10 seconds for each key, 0 for no limit',
  DATABASE_URL: 'an address such as postgres://user:password@host/database',
}

export type Settings = z.infer<typeof environment>

/** A problem at the start that people can fix. The message is one line that says how. */
export class StartError extends Error {
  override name = 'StartError'
}

/** @throws StartError for the first variable with an invalid value. An empty variable counts as not set */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(set)
  if (parsed.success) return parsed.data
  const name = parsed.error.issues[0]?.path[0]
  const expected = Object.entries(expectations).find(([known]) => known === name)?.[1]
  // The message does not quote the value, which may be a password.
  throw new StartError(`${String(name)} must be ${expected ?? 'valid'}.`)
}

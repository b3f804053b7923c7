import { describe, expect, test } from 'vitest'
import { namingProfiles } from '#contract/wire/naming.ts'
import { ConfigError, readConfig } from './config.ts'

test('an empty environment is a complete configuration', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    apiPort: 8000,
    otlpHttpPort: 4318,
    otlpGrpcPort: 4317,
    dataDir: '.data',
    clickhouseUrl: undefined,
    databaseUrl: undefined,
    stackSecret: undefined,
    sample: true,
    sourceDatabases: [],
    names: namingProfiles.neutral,
    retentionDays: 30,
    proxyAddresses: [],
    telemetryIndexes: [
      { name: 'logs.body', kind: 'text' },
      { name: 'logs.attributes', kind: 'bloom' },
      { name: 'traces.attributes', kind: 'bloom' },
      { name: 'traces.duration', kind: 'bloom' },
    ],
    telemetryRollups: ['logs.counts', 'logs.keys', 'traces.counts', 'traces.keys'],
    corsOrigin: 'http://127.0.0.1:8080',
    consoleUrl: 'http://127.0.0.1:8080',
    rateLimits: { openSource: 100, managed: 10 },
    behavior: { convergenceSeconds: 5, transientZeros: false, quantityStrings: false },
    chartBehavior: 'own',
    alerts: true,
    pipeFilesRoot: undefined,
    pipeHosts: [],
    webhookHosts: [],
    faults: false,
    logLevel: 'warn',
    databaseWaitSeconds: 60,
    acceptDataLoss: false,
  })
})

test('reads every variable', () => {
  const config = readConfig({
    HOST: '0.0.0.0',
    API_PORT: '1',
    OTLP_HTTP_PORT: '2',
    OTLP_GRPC_PORT: '3',
    DATA_DIR: '/data',
    CLICKHOUSE_URL: 'http://host:8123',
    DATABASE_URL: 'postgres://user@host/stack',
    STACK_SECRET: 'sixteen letters!',
    SOURCE_DATABASES: 'otel, Metrics-old',
    SAMPLE: '0',
    NAMING: 'clickhouse',
    RETENTION_DAYS: '7',
    TELEMETRY_INDEXES: 'logs.body, logs.resource:text',
    TELEMETRY_ROLLUPS: 'logs.counts, traces.values',
    CORS_ORIGIN: 'https://console.example',
    RATE_LIMIT_OPEN_SOURCE: '0',
    RATE_LIMIT_MANAGED: '5',
    CONVERGENCE_SECONDS: '0.5',
    PIPE_FILES_ROOT: '/files',
    PIPE_HOSTNAME_ALLOWLIST: 'Db.internal',
    WEBHOOK_HOSTNAME_ALLOWLIST: 'Hooks.internal, 10.0.0.7',
    TRANSIENT_ZEROS: '1',
    QUANTITY_STRINGS: '1',
    CHART_BEHAVIOR: 'deployment',
    ALERTS: '0',
    FAULTS: '1',
    DATABASE_WAIT_SECONDS: '5',
    ACCEPT_DATA_LOSS: '1',
    TRUSTED_PROXY_ADDRESSES: '127.0.0.1, 10.2.0.0/16',
    LOG_LEVEL: 'debug',
  })
  expect(config).toEqual({
    host: '0.0.0.0',
    apiPort: 1,
    otlpHttpPort: 2,
    otlpGrpcPort: 3,
    dataDir: '/data',
    clickhouseUrl: 'http://host:8123',
    databaseUrl: 'postgres://user@host/stack',
    stackSecret: 'sixteen letters!',
    sample: false,
    sourceDatabases: ['otel', 'Metrics-old'],
    names: namingProfiles.clickhouse,
    telemetryIndexes: [
      { name: 'logs.body', kind: 'text' },
      { name: 'logs.resource', kind: 'text' },
    ],
    telemetryRollups: ['logs.counts', 'traces.values'],
    retentionDays: 7,
    proxyAddresses: ['127.0.0.1', '10.2.0.0/16'],
    corsOrigin: 'https://console.example',
    consoleUrl: 'https://console.example',
    rateLimits: { openSource: 0, managed: 5 },
    behavior: { convergenceSeconds: 0.5, transientZeros: true, quantityStrings: true },
    chartBehavior: 'deployment',
    alerts: false,
    pipeFilesRoot: '/files',
    pipeHosts: ['db.internal'],
    webhookHosts: ['hooks.internal', '10.0.0.7'],
    faults: true,
    logLevel: 'debug',
    databaseWaitSeconds: 5,
    acceptDataLoss: true,
  })
})

test('accepts a database socket', () => {
  const socket = 'postgres:///stack?host=/var/run/postgresql'
  expect(readConfig({ DATABASE_URL: socket }).databaseUrl).toBe(socket)
})

test('an empty variable counts as not set, but an empty origin is none', () => {
  expect(readConfig({ API_PORT: '', CLICKHOUSE_URL: '', CORS_ORIGIN: '' })).toMatchObject({
    apiPort: 8000,
    clickhouseUrl: undefined,
    corsOrigin: '',
  })
})

describe('reports an invalid value in one line with the variable and the accepted values', () => {
  test.each([
    ['API_PORT', 'http', 'API_PORT must be a port from 0 to 65535.'],
    ['API_PORT', '65536', 'API_PORT must be a port from 0 to 65535.'],
    ['OTLP_GRPC_PORT', '-1', 'OTLP_GRPC_PORT must be a port from 0 to 65535.'],
    ['SAMPLE', 'no', 'SAMPLE must be 0 or 1.'],
    [
      'SOURCE_DATABASES',
      'otel, System',
      'SOURCE_DATABASES must be names of databases, separated by commas, without system and information_schema.',
    ],
    [
      'SOURCE_DATABASES',
      '../otel',
      'SOURCE_DATABASES must be names of databases, separated by commas, without system and information_schema.',
    ],
    ['NAMING', 'other', 'NAMING must be neutral or clickhouse.'],
    ['RETENTION_DAYS', '0', 'RETENTION_DAYS must be a number of days from 1 to 3650.'],
    ['CORS_ORIGIN', '*', 'CORS_ORIGIN must be one origin such as http://127.0.0.1:8080, or nothing.'],
    ['CORS_ORIGIN', 'http://a/path', 'CORS_ORIGIN must be one origin such as http://127.0.0.1:8080, or nothing.'],
    [
      'CLICKHOUSE_CLUSTER',
      'main',
      'CLICKHOUSE_CLUSTER must be the name of a cluster of the server of CLICKHOUSE_URL, which has to be set too.',
    ],
    ['CLICKHOUSE_URL', 'host:8123', 'CLICKHOUSE_URL must be an address such as http://user:password@host:8123.'],
    [
      'PIPE_HOSTNAME_ALLOWLIST',
      'http://a',
      'PIPE_HOSTNAME_ALLOWLIST must be host names or addresses, separated by commas.',
    ],
    ['DATABASE_URL', 'host', 'DATABASE_URL must be an address such as postgres://user:password@host/database.'],
    ['DATABASE_URL', 'libsql://h', 'DATABASE_URL must be an address such as postgres://user:password@host/database.'],
    ['STACK_SECRET', 'short', 'STACK_SECRET must be at least 16 characters.'],
    ['RATE_LIMIT_MANAGED', '1.5', 'RATE_LIMIT_MANAGED must be requests in 10 seconds for each key, 0 for no limit.'],
  ])('%s=%s', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(message))
  })
})

test('links lead under the base path of the console', () => {
  const consoleUrl = (env: Record<string, string>) => readConfig({ BASE_PATH: '/console', ...env }).consoleUrl
  expect(consoleUrl({ UI_PORT: '9' })).toBe('http://127.0.0.1:9/console')
  expect(consoleUrl({ PUBLIC_URL: 'https://a.example/' })).toBe('https://a.example/console')
  expect(consoleUrl({ PUBLIC_URL: 'https://a.example/console' })).toBe('https://a.example/console')
  expect(() => consoleUrl({ PUBLIC_URL: 'https://a.example/other' })).toThrow('PUBLIC_URL must be')
  expect(readConfig({ BASE_PATH: '/console', UI_PORT: '9' }).corsOrigin).toBe('http://127.0.0.1:9')
})

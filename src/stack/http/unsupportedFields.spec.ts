/** Every field of every input, and one that is unknown: a client gets back what it sent, or an error with the name of the field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '#contract/index.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import { managedClientOf, pipeInputs, type Kind } from '../testing/managedClient.ts'
import { organizationClient } from '../testing/managedKeys.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

type Schema = { [key: string]: unknown }
type Path = readonly (string | number)[]

let stack: TestStack
let dashboard: { id: string; tiles: { id: string }[] }
beforeAll(async () => {
  stack = await startTestStack({ names: namingProfiles.clickhouse })
  const made = await stack.managed('POST', '/dashboards', { name: 'Watched', tags: ['shop'], tiles: [tile('line')] })
  dashboard = made.json.result
})
afterAll(() => stack.close())

const series = () => [{ aggFn: 'count' }]
const configs: Record<string, () => JsonObject> = {
  line: () => ({ sourceId: log(), select: series() }),
  stacked_bar: () => ({ sourceId: log(), select: series() }),
  table: () => ({ sourceId: log(), select: series() }),
  number: () => ({ sourceId: log(), select: series() }),
  pie: () => ({ sourceId: log(), select: series() }),
  bar: () => ({ sourceId: log(), select: series() }),
  heatmap: () => ({ sourceId: stack.sourceIds['trace'] ?? '', select: [{ valueExpression: 'Duration' }] }),
  search: () => ({ sourceId: log(), select: 'Body' }),
  event_patterns: () => ({ sourceId: log(), select: 'Body' }),
  markdown: () => ({ markdown: 'text' }),
}
const log = () => stack.sourceIds['log'] ?? ''
const tile = (displayType: string): JsonObject => ({
  name: 'T',
  x: 0,
  y: 0,
  w: 6,
  h: 3,
  config: { displayType, ...configs[displayType]?.() },
})
const filters: Record<string, () => JsonObject> = {
  QUERY_EXPRESSION: () => ({ type: 'QUERY_EXPRESSION', name: 'F', expression: 'ServiceName', sourceId: log() }),
  STATIC_LIST: () => ({ type: 'STATIC_LIST', name: 'F', options: ['a', 'b'] }),
}

interface Input {
  schema: z.ZodType
  body: () => JsonObject
  send: (body: JsonObject) => Promise<{ status: number; json: { error: string; result: JsonObject } }>
  /** Fields that are not returned as they were sent: secrets, and what the stack sets. */
  other?: readonly string[]
}

const stackInput = (
  path: string,
  endpoint: { strictBody: z.ZodType },
  body: () => JsonObject,
  other: readonly string[] = [],
): Input => ({
  schema: endpoint.strictBody,
  body,
  other,
  send: (sent) => stack.managed('POST', path, sent),
})
/** Sends the body as an update of a record that was created from it. */
const stackUpdate = (
  path: string,
  endpoint: { strictBody: z.ZodType },
  body: () => JsonObject,
  other: readonly string[] = [],
): Input => ({
  schema: endpoint.strictBody,
  body,
  other,
  async send(sent) {
    const made = await stack.managed('POST', path, body())
    return stack.managed('PUT', `${path}/${made.json.result.id}`, sent)
  },
})
const channel = () => ({ type: 'webhook', webhookId: stack.webhookId })
const alert = () => ({
  source: 'tile',
  dashboardId: dashboard.id,
  tileId: dashboard.tiles[0]?.id ?? '',
  threshold: 1,
  thresholdType: 'above',
  interval: '5m',
  channel: channel(),
})
const records = () => ({
  connection: stack.identity.connectionId,
  from: { databaseName: 'default', tableName: 'otel_logs' },
  timestampValueExpression: 'Timestamp',
  defaultTableSelectExpression: 'Timestamp, Body',
  filterSettings: { columns: [{ name: 'ServiceName' }] },
  querySettings: [{ setting: 'max_threads', value: '1' }],
})
const sources: Record<string, () => JsonObject> = {
  log: () => ({ name: 'Logs', kind: 'log', ...records() }),
  trace: () => ({
    name: 'Spans',
    kind: 'trace',
    ...records(),
    durationExpression: 'Duration',
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    parentSpanIdExpression: 'ParentSpanId',
    spanNameExpression: 'SpanName',
    spanKindExpression: 'SpanKind',
  }),
}
const webhook = () => ({
  name: `Team ${crypto.randomUUID()}`,
  service: 'generic',
  url: 'https://hooks.example/alerts',
})
const savedSearch = () => ({ name: 'S', sourceId: log() })
const secrets = ['headers', 'queryParams']
/** Fields that responses leave out: credentials, and those that only the creation uses. */
const pipeSecrets = ['credentials', 'accessKey', 'password', 'protobufSchema', 'validateSamples']
const inputs: Record<string, Input> = {
  'an alert': stackInput('/alerts', api.alerts.create, alert),
  'an update of an alert': stackUpdate('/alerts', api.alerts.update, alert),
  ...Object.fromEntries(
    Object.keys(sources).flatMap((kind) => {
      const body = () => sources[kind]?.() ?? {}
      return [
        [`a source of the kind ${kind}`, stackInput('/sources', api.sources.create, body)],
        [`an update of a source of the kind ${kind}`, stackUpdate('/sources', api.sources.update, body)],
      ]
    }),
  ),
  'a webhook': stackInput('/webhooks', api.webhooks.create, webhook, secrets),
  'an update of a webhook': stackUpdate('/webhooks', api.webhooks.update, webhook, secrets),
  'an update of a saved search': stackUpdate('/saved-searches', api.savedSearches.update, savedSearch),
  ...Object.fromEntries(
    Object.keys(pipeInputs).map((kind) => [
      `a pipe of ${kind}`,
      {
        schema: api.pipes.create.strictBody,
        // A pipe has no index signature, and each field of it is JSON.
        body: () => ({ ...pipeInputs[kind as Kind], name: `Pipe ${crypto.randomUUID()}` }) as JsonObject,
        send: (body: JsonObject) => managedClientOf(stack, namingProfiles.clickhouse).call('POST', '/datapipes', body),
        other: pipeSecrets,
      },
    ]),
  ),
  'an update of a service': {
    schema: api.services.update.strictBody,
    body: () => ({ name: 'Renamed' }),
    send: (body) => managedClientOf(stack, namingProfiles.clickhouse).call('PATCH', '', body),
    // Responses have the lists after these changes, and not the changes.
    other: ['add', 'remove'],
  },
  ...Object.fromEntries(
    Object.keys(configs).map((type) => [
      `a dashboard with a tile of the type ${type}`,
      stackInput('/dashboards', api.dashboards.create, () => ({ name: 'D', tiles: [tile(type)] }), ['id']),
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(filters).map((type) => [
      `a dashboard with a filter of the type ${type}`,
      stackInput('/dashboards', api.dashboards.create, () => ({
        name: 'D',
        tiles: [],
        filters: [filters[type]?.() ?? {}],
      })),
    ]),
  ),
  'a saved search': stackInput('/saved-searches', api.savedSearches.create, savedSearch),
  'a role': {
    schema: api.roles.create.strictBody,
    body: () => ({ name: `Role ${crypto.randomUUID()}`, actors: [], policies: [policy()] }),
    send: (body) => organizationClient(stack).call('POST', '/roles', body),
    other: ['id', 'roleId', 'tenantId'],
  },
  'an API key': {
    schema: api.apiKeys.create.strictBody,
    body: () => ({ name: 'Key' }),
    send: async (body) => {
      const answer = await organizationClient(stack).call('POST', '/keys', body)
      return { ...answer, json: { ...answer.json, result: answer.json.result?.key } }
    },
    // The roles come back with their names.
    other: ['hashData', 'assignedRoleIds'],
  },
}
const policy = () => ({
  allowDeny: 'ALLOW',
  permissions: ['control-plane:service:view'],
  resources: ['instance/*'],
})

describe.each(Object.entries(inputs))('%s', (_, { schema, body, send, other = [] }) => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema // JSON Schema is an object
  const fields = fieldsOf(json, json, [])

  test('has fields', () => expect(fields.length).toBeGreaterThan(3))

  test.each(fields.map(({ path, sample }) => [path.join('.'), path, sample] as const))(
    'keeps or refuses %s',
    async (__, path, sample) => {
      const sent = withValue(body(), path, sample)
      if (sent === null) return
      const { status, json: answer } = await send(sent)
      if (status !== 200) return expect(answer.error).toMatch(/^BAD_REQUEST: \w/)
      if (path.some((key) => other.some((otherKey) => otherKey === key))) return
      expect(valueAt(answer.result, path)).toEqual(isPlainObject(sample) ? expect.objectContaining(sample) : sample)
    },
  )

  test('names a field that is unknown, wherever it is', async () => {
    const free = (path: Path) => other.some((otherKey) => otherKey === path.at(-1))
    for (const path of objectsIn(body(), []).filter((one) => !free(one))) {
      const sent = withValue(body(), [...path, 'unknownField'], 'x')
      const { status, json: answer } = await send(sent ?? {})
      expect({ status, path: path.join('.') }).toEqual({ status: 400, path: path.join('.') })
      expect(answer.error).toContain('unknownField')
    }
  })
})

interface Field {
  path: Path
  sample: unknown
}

/** The fields of a schema at every depth, each with a value of its type, which may break other rules. */
function fieldsOf(root: Schema, given: unknown, path: Path): Field[] {
  const schema = resolved(root, given)
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => listOf(schema[key]))
  const found = [
    ...branches.flatMap((branch) => fieldsOf(root, branch, path)),
    ...(schema['items'] ? fieldsOf(root, schema['items'], [...path, 0]) : []),
    ...Object.entries(objectOf(schema['properties'])).flatMap(([name, property]) => [
      ...samplesOf(root, property).map((sample) => ({ path: [...path, name], sample })),
      ...fieldsOf(root, property, [...path, name]),
    ]),
  ]
  return [...new Map(found.map((field) => [JSON.stringify(field), field])).values()]
}

function samplesOf(root: Schema, given: unknown): unknown[] {
  const schema = resolved(root, given)
  const branches = ['anyOf', 'oneOf'].flatMap((key) => listOf(schema[key]))
  if (branches.length > 0) return branches.flatMap((branch) => samplesOf(root, branch))
  if (schema['const'] !== undefined) return [schema['const']]
  const choices = listOf(schema['enum'])
  if (choices.length > 0) return [choices.at(-1)]
  switch (schema['type']) {
    case 'string':
      return ['x1']
    case 'number':
    case 'integer':
      return [Number(schema['minimum'] ?? 1)]
    case 'boolean':
      return [true, false]
    default:
      return []
  }
}

function resolved(root: Schema, given: unknown): Schema {
  const schema = objectOf(given)
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return objectOf(objectOf(root['$defs'])[reference.split('/').pop() ?? ''])
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const objectOf = (value: unknown): Schema => (isPlainObject(value) ? value : {})

/** The body with a value at a path; null where nothing is that could hold it. */
function withValue(body: JsonObject, path: Path, value: unknown): JsonObject | null {
  const copy = structuredClone(body)
  let at: unknown = copy
  for (const key of path.slice(0, -1))
    at = Array.isArray(at) ? at[Number(key)] : isPlainObject(at) ? at[key] : undefined
  const last = path.at(-1)
  if (!isPlainObject(at) || last === undefined) return null
  at[last] = value
  return copy
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) => (Array.isArray(at) ? at[Number(key)] : isPlainObject(at) ? at[key] : undefined),
    value,
  )
}

/** The paths of all objects in a body. */
function objectsIn(value: unknown, path: Path): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => objectsIn(item, [...path, at]))
  if (!isPlainObject(value)) return []
  return [path, ...Object.entries(value).flatMap(([key, item]) => objectsIn(item ?? null, [...path, key]))]
}

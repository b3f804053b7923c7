/** Every route of a product that takes texts of people, with requests that have one text in each place where a text may be. */
import { z } from 'zod'
import { consoleHeader } from '#contract/wire/gatewayWire.ts'
import { endpoints } from '#contract/index.ts'
import { type Endpoint, gatewayPath, pathTemplate } from '#contract/wire/kernel.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import type { Product } from './processes/product.ts'

export interface TextRoute {
  name: string
  /** @returns the status of the response; 0 if there was none */
  send(text: string): Promise<number>
}

/** Routes of the console that are no endpoints of deployments. */
const consoleRoutes: readonly { method: string; path: string; body: (text: string) => unknown }[] = [
  { method: 'POST', path: '/api/session', body: (text) => ({ password: text, email: text }) },
  { method: 'POST', path: '/api/session', body: (text) => ({ token: text }) },
  { method: 'POST', path: '/api/people', body: (text) => ({ name: text, email: 'a@example.com', role: 'viewer' }) },
  {
    method: 'POST',
    path: '/api/connections',
    body: (text) => ({ name: text, variant: 'openSource', baseUrl: text, accessKey: text }),
  },
  {
    method: 'POST',
    path: '/api/connection-test',
    body: (text) => ({ name: 'x', variant: 'openSource', baseUrl: `https://${text}`, accessKey: text }),
  },
  {
    method: 'POST',
    path: '/api/c/local-open-source/notification-preview',
    body: (text) => ({
      webhook: { service: 'generic', body: text },
      event: {
        alert: { name: text, message: text, threshold: 1, thresholdType: 'above', interval: '5m', source: 'tile' },
        watched: { name: text, dashboard: text, query: text },
      },
    }),
  },
]

/** @param ids of records, for paths. Those of other records do not exist. */
export function textRoutes(product: Product, cookie: string, ids: Record<string, string>): TextRoute[] {
  const { consoleUrl, credentials, ports } = product
  const api = `http://127.0.0.1:${ports.api}`
  const values = { ...ids, organizationId: credentials.organizationId, serviceId: credentials.serviceId }
  const bearer = { authorization: `Bearer ${credentials.personalAccessKey}` }
  const basic = { authorization: `Basic ${btoa(`${credentials.keyId}:${credentials.keySecret}`)}` }
  const person = { cookie, [consoleHeader]: '1', origin: consoleUrl }
  const ofStack = (endpoint: Endpoint): TextRoute[] =>
    (['openSource', 'managed'] as const).flatMap((variant) => {
      const path = pathTemplate(endpoint, variant, namingProfiles.neutral)
      const isOffered = endpoint.variants.includes(variant) || (variant === 'managed' && endpoint.alsoManaged)
      const headers = variant === 'openSource' ? bearer : basic
      return path === null || !isOffered ? [] : routesOf(endpoint, api, filled(path, values), headers)
    })
  const throughConsole = (endpoint: Endpoint): TextRoute[] => {
    const connectionId = endpoint.variants.includes('openSource') ? 'local-open-source' : 'local-managed'
    if (endpoint.stackOnly) return []
    return routesOf(endpoint, consoleUrl, filled(gatewayPath(endpoint), { ...values, connectionId }), person)
  }
  return [
    ...endpoints.flatMap((endpoint) => [...ofStack(endpoint), ...throughConsole(endpoint)]),
    ...consoleRoutes.map(({ method, path, body }) => ({
      name: `${method} console ${path}`,
      send: (text: string) => statusOf(`${consoleUrl}${path}`, method, person, body(text)),
    })),
  ]
}

function routesOf(endpoint: Endpoint, base: string, path: string, headers: Record<string, string>): TextRoute[] {
  const { method, strictBody, query } = endpoint
  const name = `${method} ${base.startsWith('http://127') ? '' : base}${path}`
  const bodies = method === 'GET' ? undefined : schemaOf(strictBody)
  const queries = schemaOf(query)
  const queryOf = (text: string) =>
    new URLSearchParams(
      Object.entries(Object(filledWith(queries, text.slice(0, 4000).toWellFormed()))).map(([key, value]) => [
        key,
        String(value),
      ]),
    )
  const places = (schema: Schema) => JSON.stringify(filledWith(schema, 'ü') ?? '').split('ü').length - 1
  // Larger bodies are refused before they are read.
  const bodyOf = (schema: Schema, text: string) =>
    filledWith(schema, text.slice(0, endpoint.bodyLimit / 3 / places(schema)))
  return [
    ...(bodies && places(bodies) > 0
      ? [{ name, send: (text: string) => statusOf(base + path, method, headers, bodyOf(bodies, text)) }]
      : []),
    ...(places(queries) > 0
      ? [{ name: `${name}?`, send: (text: string) => statusOf(`${base}${path}?${queryOf(text)}`, method, headers) }]
      : []),
  ]
}

/** @returns the status of the response; 0 if there was none */
export async function statusOf(url: string, method: string, headers: object, body?: unknown): Promise<number> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

const filled = (template: string, values: Record<string, string>) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '0123456789abcdef01234567')

/** The part of a JSON Schema that matters here. */
interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  prefixItems?: Schema[]
  minimum?: number
  minItems?: number
  $defs?: Record<string, Schema>
}

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema // what zod prints
}

/** A value that fits the schema, as far as the text in all its places does. */
function filledWith(schema: Schema, text: string, root = schema, depth = 0): unknown {
  if (depth > 12) return undefined
  const next = (part: Schema) => filledWith(part, text, root, depth + 1)
  if (schema.$ref !== undefined) return next(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? {})
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map(next).find((value) => value !== undefined && value !== null) ?? null
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => Object(next(part))))
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, next(part)]))
  }
  if (typeof schema.additionalProperties === 'object')
    return { [text.slice(0, 200)]: next(schema.additionalProperties) }
  if (schema.prefixItems) return schema.prefixItems.map(next)
  if (schema.type === 'array') {
    const { items = {}, minItems = 1 } = schema
    return typeof items === 'object' ? Array.from({ length: minItems }, () => next(items)) : []
  }
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  return schema.type === 'null' ? null : text
}

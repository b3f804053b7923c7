/**
 * What an endpoint is, and how the two variants of the API address it.
 * Both servers register their routes from this, and the console calls through it.
 */
import { z } from 'zod'
import { LosslessNumber } from './json.ts'
import type { WireNames } from './naming.ts'
import { pathIdPattern } from './pathId.ts'

/** The two ways in which a deployment speaks the API (spec 1). */
export const variants = ['openSource', 'managed'] as const
export type Variant = (typeof variants)[number]

/** What an endpoint's path hangs from (spec 4.1 to 4.3). Scopes other than `stack` exist on the managed variant only. */
export type Scope = 'stack' | 'organization' | 'root'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An id that may become one path segment: never empty, never `.` or `..`, nothing that needs encoding. */
export const pathId = z.string().regex(pathIdPattern, 'must be 1 to 128 letters, digits, "-" or "_"')

/** A number in a reply, whichever way it is spelled. */
export const wireNumber = z.union([
  z.number(),
  z.instanceof(LosslessNumber).transform((number) => Number(number.value)),
])

const none = z.object({})

interface Definition {
  method: Method
  scope: Scope
  /** Relative to the scope's base, parameters in braces: `/alerts/{alertId}`. */
  path: string
  /** Where the specification offers it. A deployment may offer more or less: asking tells. */
  variants: readonly Variant[]
  /**
   * The specification does not name this operation, though it names the resource: real deployments may have it or not.
   * A route that is not there switches off the operation, not the resource.
   */
  unspecified?: boolean
  /** The managed variant of the stack serves it too, although the specification does not say so. */
  alsoManaged?: boolean
  /** The stack serves it to other clients; the console has no use for it, and the gateway no route. */
  stackOnly?: boolean
  /** False for a POST that only reads, such as a chart query. Default: everything but GET changes something. */
  mutates?: boolean
  /** True when the result is a list. */
  list?: boolean
  /** True when the answer comes in pages (`limit`, `offset`, `meta.total`). */
  paged?: boolean
  /** Variants that answer a success with the result itself, without an envelope. */
  bare?: readonly Variant[]
  /** Largest request body in bytes. */
  bodyLimit?: number
  /** `text`: a success is answered as text/plain without an envelope, and `result` is that text. Default: JSON. */
  format?: 'json' | 'text'
  /** The answer is a record that edits start from, or a list of such records: each comes with its revision. */
  record?: RecordRule
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** What the stack itself accepts, where that is narrower than what deployments that know more may be sent. */
  strictBody?: z.ZodType
  result: z.ZodType
}

/** What the revision of a record is made of. */
export interface RecordRule {
  /** Fields that change without anybody's save: they are no part of the revision. */
  volatile: readonly string[]
}

type Part<D, K extends string> = D extends Record<K, infer S extends z.ZodType> ? S : typeof none
type StrictBody<D> = D extends Record<'strictBody', infer S extends z.ZodType> ? S : Part<D, 'body'>

export interface Endpoint<D extends Definition = Definition> {
  resource: string
  verb: string
  method: Method
  scope: Scope
  path: string
  variants: readonly Variant[]
  unspecified: boolean
  alsoManaged: boolean
  stackOnly: boolean
  mutates: boolean
  list: boolean
  paged: D['paged'] extends true ? true : boolean
  bare: readonly Variant[]
  bodyLimit: number
  format: 'json' | 'text'
  record?: RecordRule
  params: Part<D, 'params'>
  query: Part<D, 'query'>
  body: Part<D, 'body'>
  strictBody: StrictBody<D>
  result: D['result']
}

type Empty = Record<string, never>
type Field<K extends string, T> = T extends Empty ? unknown : { [P in K]: T }

/** What a caller hands over: only the parts that the endpoint has. */
export type Input<E extends Endpoint> = Field<'params', z.input<E['params']>> &
  Field<'body', z.input<E['body']>> & { query?: z.input<E['query']> }

/** What a caller gets back, envelope taken off. */
export type Output<E extends Endpoint> = z.output<E['result']>

/** One page of a list, as a handler returns it. */
export interface Page<Items> {
  items: Items
  total: number
  limit: number
  offset: number
}

/** One handler for every endpoint of a resource: leaving one out does not compile. */
export type Handlers<R, Context> = {
  [V in keyof R]: R[V] extends Endpoint<infer D>
    ? (
        input: {
          params: z.output<Part<D, 'params'>>
          query: z.output<Part<D, 'query'>>
          body: z.output<StrictBody<D>>
        },
        context: Context,
      ) => Promise<D['paged'] extends true ? Page<Answer<z.output<D['result']>>> : Answer<z.output<D['result']>>>
    : never
}

/**
 * A result that is JSON text already. A list that is kept as text need not be parsed only to be printed again:
 * ten thousand dashboards cost a third of the time.
 */
export class JsonText<T> {
  /** What the text holds, for the compiler alone. */
  declare readonly holds: T

  constructor(readonly text: string) {}
}

/** What a handler returns: the value, or its JSON text. */
export type Answer<T> = T | JsonText<T>

const defaultBodyLimit = 1024 * 1024

/** The endpoints of one resource. The name of the resource is the same in every layer, and in every cache key. */
export function resource<const R extends Record<string, Definition>>(
  name: string,
  definitions: R,
): { [V in keyof R]: Endpoint<R[V]> } {
  const endpoints = Object.entries(definitions).map(([verb, definition]) => [
    verb,
    {
      params: none,
      query: none,
      body: none,
      strictBody: definition.body ?? none,
      mutates: definition.method !== 'GET',
      unspecified: false,
      alsoManaged: false,
      stackOnly: false,
      list: false,
      paged: false,
      bare: [],
      bodyLimit: defaultBodyLimit,
      format: 'json',
      ...definition,
      resource: name,
      verb,
    },
  ])
  // Object.fromEntries forgets its keys; they are those of `definitions`.
  return Object.fromEntries(endpoints) as { [V in keyof R]: Endpoint<R[V]> }
}

/**
 * The upstream path of an endpoint, parameters still in braces, spelled in the deployment's own names;
 * null where the variant has no such scope.
 */
export function pathTemplate(endpoint: Endpoint, variant: Variant, names: WireNames): string | null {
  const path = endpoint.path.replace('/datapipes', `/${names.pipes}`)
  if (variant === 'openSource') return endpoint.scope === 'stack' ? `/api/v2${path}` : null
  switch (endpoint.scope) {
    case 'stack':
      return `/v1/organizations/{organizationId}/services/{serviceId}/${names.stack}${path}`
    case 'organization':
      return `/v1/organizations/{organizationId}${path}`
    case 'root':
      return `/v1${path}`
  }
}

/** The gateway's path for an endpoint, parameters in braces, `{connectionId}` among them. */
export function gatewayPath(endpoint: Endpoint): string {
  return `/api/c/{connectionId}/${endpoint.scope}${endpoint.path}`
}

/** Puts values into a template's braces. Throws where one is missing or could leave its own segment. */
export function fillPath(template: string, values: Record<string, string | undefined>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = pathId.safeParse(values[name])
    if (!value.success) throw new TypeError(`${name} ${value.error.issues[0]?.message ?? 'is not an id'}`)
    return value.data
  })
}

/** A choice that deployments extend: known values are offered, an unknown one passes through untouched. */
export function openEnum<const T extends readonly [string, ...string[]]>(known: T) {
  return z.union([z.enum(known), z.string().min(1)]).meta({ known }) as unknown as z.ZodType<
    T[number] | (string & {}), // keeps the known values in completions, which a plain union with string loses
    T[number] | (string & {})
  >
}

/** What went wrong, in the words that the console acts on. */
export const errorCodes = [
  'signedOut', // no session with the gateway
  'keyRejected', // upstream 401
  'forbidden', // upstream 403
  'readOnly', // the connection is locked
  'notFound', // the thing is not there
  'notOffered', // the route is not there: this deployment lacks the feature
  'invalid', // 400, 422; `fields` says where
  'conflict', // 409, 412; `current` where a save was based on an older revision
  'dependency', // 424
  'rateLimited', // 429; `retryAfter` says how long
  'upstreamFailed', // 5xx
  'unreachable', // no answer at all
  'timeout', // no answer in time, and nothing was changed
  'outcomeUnknown', // a write whose answer was lost
  'malformedReply', // an answer that is not what the contract says
  'tooLarge', // request or reply over its limit
  'notStored', // the gateway's own disk is full or read-only; nothing was changed
  'blocked', // the gateway's own rules refuse it
  'failed', // a fault of ours
] as const

export const apiError = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  /** The upstream's status, or the gateway's own. */
  status: z.number(),
  requestId: z.string().optional(),
  /** Seconds until another try makes sense. */
  retryAfter: z.number().optional(),
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** What the upstream said, shortened, secrets masked. */
  detail: z.string().optional(),
  /** Of a save that was refused because its base is no longer what is stored: what is stored now. */
  current: z.object({ result: z.unknown(), revision: z.string() }).optional(),
})
export type ApiError = z.infer<typeof apiError>

/** What the gateway answers to the console: one envelope for both variants. */
export const gatewayReply = z.object({
  result: z.unknown(),
  requestId: z.string().optional(),
  /** Rows that the upstream says it has, where it says so. */
  total: z.number().optional(),
  /** Of a record: what a write that starts from it names as its base. */
  revision: z.string().optional(),
  /** Of a list of records: one revision each, in the order of the list. */
  revisions: z.array(z.string()).optional(),
})

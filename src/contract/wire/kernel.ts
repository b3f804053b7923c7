/**
 * Defines endpoints, and their paths on both variants.
 * Both servers register their routes from this, and the console calls them by it.
 */
import type { LosslessNumber } from 'lossless-json'
import { z } from 'zod'
import type { WireNames } from './naming.ts'
import { isLossless } from './lossyNumbers.ts'
import { pathIdPattern } from './pathId.ts'

/** The two variants of the API. */
export const variants = ['openSource', 'managed'] as const
export type Variant = (typeof variants)[number]

/** The base of an endpoint's path. Scopes other than `stack` only exist on the managed variant. */
type Scope = 'stack' | 'organization' | 'root'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** An id that is safe as a path segment: never empty, never `.` or `..`, nothing that needs encoding. */
export const pathId = z.string().regex(pathIdPattern, 'must be 1 to 128 letters, digits, "-" or "_"')

/** A number in a response, as number or text. */
export const wireNumber = z.union([
  z.number(),
  z.custom<LosslessNumber>(isLossless).transform((number) => Number(number.value)),
])

const none = z.object({})

interface Definition {
  method: Method
  scope: Scope
  /** Relative to the scope's base, parameters in braces: `/alerts/{alertId}`. */
  path: string
  /** The variants of the specification. A deployment may offer more or less. */
  variants: readonly Variant[]
  /**
   * The specification has the resource, but not this operation. Real deployments may have it.
   * A missing route disables the operation, not the resource.
   */
  unspecified?: boolean
  /** A group of operations that a deployment may lack, although it has the others of the resource. */
  feature?: string
  /** The managed variant of the stack serves it too, beyond the specification. */
  alsoManaged?: boolean
  /** The stack serves it to other clients. The console does not use it, and the gateway has no route. */
  stackOnly?: boolean
  /** False for a POST that only reads, such as a chart query. Default: true except for GET. */
  mutates?: boolean
  /** True when the result is a list. */
  list?: boolean
  /** True when the answer comes in pages (`limit`, `offset`, `meta.total`). */
  paged?: boolean
  /** The result is `{items, …}`: the items are in the envelope, and its other fields, such as `hasMore`, beside them. */
  continued?: boolean
  /** Variants that return the result without an envelope. */
  bare?: readonly Variant[]
  /** The result is a secret that a person asked to see: the gateway does not mask it. */
  reveals?: boolean
  /** It changes only fields of its parent record that are in `RecordRule.operated`: `…/silenced` changes those of the alert. */
  operates?: boolean
  /** The field of the body with the SQL by which a read is entered in the audit log. Other reads are not entered. */
  audited?: string
  /** The field of the body in which the gateway names the sender, if it knows the person. */
  senderField?: string
  /** A POST that replaces the record at its path. */
  replaces?: boolean
  /** The maximum size of a request body in bytes. */
  bodyLimit?: number
  /** `text`: the response is text/plain without an envelope, and `result` is that text. Default: JSON. */
  format?: 'json' | 'text'
  /** Secrets at the top of the result that people must see, because no later request returns them. They are not masked. */
  shownOnce?: readonly string[]
  /** Fields of the result that only administrators of the connection see. */
  forAdministrators?: readonly string[]
  /** The result is a record that edits start from, or a list of them. Each has a revision. */
  record?: RecordRule
  /** The result of the write has the record as it is stored, so that dropped fields can be named. */
  stored?: StoredRule
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The schema of the stack, if it is stricter than the schema for deployments. */
  strictBody?: z.ZodType
  /** The schema of the stack under the product's own names, if it accepts more there. Its output is that of `strictBody`. */
  productBody?: z.ZodType
  result: z.ZodType
}

/** How the revision of a record is derived. */
export interface RecordRule {
  /** Fields that change without a save. They are not part of the revision. */
  volatile: readonly string[]
  /** The volatile fields that operations set, such as a silence. They have a revision of their own beside that of the record. */
  operated?: readonly string[]
}

/** Where the result of a write has the record as it is stored, and what of the body it cannot show. */
interface StoredRule {
  /** The field of the result that has the record, and of the body if that has one of this name. Default: the whole. */
  at?: string
  /**
   * Fields of the body that no response has, wherever they are in it: secrets, what only a creation uses, and orders to change
   * a list.
   */
  unreturned: readonly string[]
  /** Alternative fields: a deployment returns one of them. */
  either?: readonly string[]
  /** Values that mean the same as an absent field. */
  withoutEffect?: Readonly<Record<string, unknown>>
  /** It comes into effect later. Until then, null stands for a value that is not reported yet, and only what is absent is lost. */
  settling?: boolean
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
  feature?: string
  alsoManaged: boolean
  stackOnly: boolean
  mutates: boolean
  list: boolean
  paged: D['paged'] extends true ? true : boolean
  continued: boolean
  bare: readonly Variant[]
  reveals: boolean
  operates: boolean
  audited?: string
  senderField?: string
  replaces: boolean
  bodyLimit: number
  format: 'json' | 'text'
  shownOnce: readonly string[]
  forAdministrators: readonly string[]
  record?: RecordRule
  stored?: StoredRule
  /** The list that it summarizes: see `summariesOf`. */
  whole?: Endpoint
  params: Part<D, 'params'>
  query: Part<D, 'query'>
  body: Part<D, 'body'>
  strictBody: StrictBody<D>
  productBody?: z.ZodType
  result: D['result']
}

type Empty = Record<string, never>
type Field<K extends string, T> = T extends Empty ? unknown : { [P in K]: T }

/** The input of a call: only the parts that the endpoint has. */
export type Input<E extends Endpoint> = Field<'params', z.input<E['params']>> &
  Field<'body', z.input<E['body']>> & { query?: z.input<E['query']> }

/** The result of a call without its envelope. */
export type Output<E extends Endpoint> = z.output<E['result']>

/** One page of a list as a handler returns it. */
export interface Page<Items> {
  items: Items
  total: number
  limit: number
  offset: number
}

/** One handler for every endpoint of a resource. A missing one is a compile error. */
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
 * A result that is already JSON text. A list that is stored as text need not be printed again.
 */
export class JsonText<T> {
  /** The type of the value in the text, only for the compiler. */
  declare readonly holds: T

  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The result of a handler: the value, or its JSON text. */
type Answer<T> = T | JsonText<T>

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
      continued: false,
      bare: [],
      reveals: false,
      operates: false,
      replaces: false,
      bodyLimit: defaultBodyLimit,
      format: 'json',
      shownOnce: [],
      forAdministrators: [],
      ...definition,
      resource: name,
      verb,
    },
  ])
  // Object.fromEntries loses the type of its keys: they are those of `definitions`.
  return Object.fromEntries(endpoints) as { [V in keyof R]: Endpoint<R[V]> }
}

/**
 * A list of large records, with a summary in place of each. Deployments have no such list: the gateway reads the whole records and
 * shortens them (`gateway/resources/summaries.ts`).
 * @param result the schema of the summaries
 */
export function summariesOf<L extends Endpoint, R extends z.ZodType>(
  list: L,
  result: R,
): Omit<L, 'result'> & { result: R; whole: L } {
  return { ...list, verb: 'summaries', result, whole: list }
}

/**
 * The upstream path of an endpoint in the deployment's names, with parameters in braces;
 * null if the variant has no such scope.
 */
export function pathTemplate(endpoint: Endpoint, variant: Variant, names: WireNames): string | null {
  const path = endpoint.path.replace('/datapipes', `/${names.pipes}`).replace('/dbSettings', `/${names.settings}`)
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

/** The gateway's path for an endpoint, with parameters in braces, including `{connectionId}`. */
export function gatewayPath(endpoint: Endpoint): string {
  return `/api/c/{connectionId}/${endpoint.whole ? 'summaries' : endpoint.scope}${endpoint.path}`
}

/** Fills the parameters of a template. Throws for a missing value, or one that could leave its segment. */
export function fillPath(template: string, values: Record<string, string | undefined>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = pathId.safeParse(values[name])
    if (!value.success) throw new TypeError(`${name} ${value.error.issues[0]?.message ?? 'is not an id'}`)
    return value.data
  })
}

/** A choice that deployments may extend. Unknown values pass through. */
export function openEnum<const T extends readonly [string, ...string[]]>(known: T) {
  return z.union([z.enum(known), z.string().min(1)]).meta({ known }) as unknown as z.ZodType<
    T[number] | (string & {}), // keeps the known values in completions, which a plain union with string loses
    T[number] | (string & {})
  >
}

/** The error codes that the console handles. */
export const errorCodes = [
  'signedOut', // no session with the gateway
  'keyRejected', // upstream 401
  'forbidden', // upstream 403
  'readOnly', // the connection is locked
  'notFound', // the record does not exist
  'notOffered', // the deployment has no such endpoint
  'invalid', // 400, 422; with `fields`
  'conflict', // 409, 412; with `current` if a save started from an older revision
  'dependency', // 424
  'rateLimited', // 429; with `retryAfter`
  'upstreamFailed', // 5xx
  'unreachable', // no connection
  'timeout', // no response in time, and nothing was changed
  'outcomeUnknown', // the response to a write was lost
  'malformedReply', // a response that does not match the contract
  'tooLarge', // request or response over its limit
  'notStored', // the gateway's own disk is full or read-only; nothing was changed
  'sentForApproval', // nothing was sent: it waits for approval, as `held`
  'unavailable', // the gateway's own database cannot be reached; nothing was changed
  'blocked', // the gateway's own rules refuse it
  'failed', // internal error
] as const

/** A change request that a change became, because it needs approval. */
export const heldChange = z.object({
  id: z.string(),
  /** Counts up, for people. */
  number: z.number(),
  /** The address of its page. */
  link: z.string(),
})
export type HeldChange = z.infer<typeof heldChange>

export const apiError = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  /** The upstream's status, or the gateway's own. */
  status: z.number(),
  requestId: z.string().optional(),
  /** Seconds until a retry makes sense. */
  retryAfter: z.number().optional(),
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** The upstream's message, shortened, without secrets. */
  detail: z.string().optional(),
  /** The stored record, for a save that started from an older revision. */
  current: z.object({ result: z.unknown(), revision: z.string() }).optional(),
  /** The change request that replaced a write. */
  held: heldChange.optional(),
})
export type ApiError = z.infer<typeof apiError>

/** The gateway's response to the console: one envelope for both variants. */
export const gatewayReply = z.object({
  result: z.unknown(),
  requestId: z.string().optional(),
  /** The number of rows in total, if the upstream reports it. */
  total: z.number().optional(),
  /** Where the result comes from if not from the API of the deployment: a sentence for the page. */
  origin: z.string().optional(),
  /** The revision of a record, which writes start from. */
  revision: z.string().optional(),
  /** The revisions of a list of records, in the order of the list. */
  revisions: z.array(z.string()).optional(),
})

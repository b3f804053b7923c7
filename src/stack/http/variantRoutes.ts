/** Registers a route for each endpoint of the contract on a variant, with validated input. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { askerHeader, queryIdHeader } from '#contract/wire/gatewayWire.ts'
import { endpoints } from '#contract/index.ts'
import { JsonText, pathTemplate, type Endpoint, type Variant } from '#contract/wire/kernel.ts'
import { hasProductNames, productResources, type WireNames } from '#contract/wire/naming.ts'
import { activitiesOf } from '../access/activityTypes.ts'
import { auditOf } from '../access/activityLog.ts'
import type { Caller } from '../access/caller.ts'
import type { StackContext, StackDependencies } from '../resources/context.ts'
import type { Asker } from '../telemetry/scheduling/querySchedule.ts'
import type { CallingMember } from '../team/members.ts'
import { wellFormedJson } from './apiBody.ts'
import { InvalidInput, type InvalidPart, type Issue } from '../refusal.ts'
import { handlerOf, type CheckedInput } from './handlers.ts'
import { check } from '../validation.ts'
import { withDeadline } from './deadlines/withDeadline.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint of a route, because the shape of errors depends on the resource. */
    endpoint?: Endpoint
  }

  interface FastifyRequest {
    /** The member whose key the request has; null on the managed variant. */
    member: CallingMember | null
  }
}

export interface VariantOptions {
  parts: StackDependencies
  /** The naming profile of this stack. */
  names: WireNames
  /** Requests that a key may make in the variant's window; 0 for no limit. */
  rateLimit: number
  /** Milliseconds that a handler may take. */
  timeout: number
  /** Endpoints of the variant that are served. Default: all. */
  serves?: (endpoint: Endpoint) => boolean
}

export interface Call {
  endpoint: Endpoint
  request: FastifyRequest
  reply: FastifyReply
  params: Record<string, string>
}

/** Differences between variants: ids, bodies and envelopes. */
export interface VariantRoutes {
  variant: Variant
  /** Issues with the ids, reported with all others. @throws Refusal for ids that end the request */
  checkParams(call: Call): readonly Issue[]
  /** @throws Refusal 403 if the caller may not use the endpoint */
  authorize(call: Call): Caller | null
  /** The body in neutral names. @throws Refusal for a body that this variant refuses as a whole */
  readBody(call: Call): unknown
  /** @param kept what the schema of the endpoint made of the body. @throws InvalidInput for fields that it dropped */
  checkKept?(call: Call, sent: unknown, kept: unknown): void
  /** The body of a success as JSON text. `undefined` is an empty result. */
  answer(call: Call, result: unknown): string
}

export function registerVariantRoutes(
  app: FastifyInstance,
  variant: VariantRoutes,
  { parts, names, timeout, serves = () => true }: VariantOptions,
): void {
  for (const endpoint of endpoints.filter(serves)) {
    const template = isServed(endpoint, variant.variant, names) && pathTemplate(endpoint, variant.variant, names)
    if (!template) continue
    app.route({
      method: endpoint.method,
      url: template.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: endpoint.bodyLimit,
      config: { endpoint },
      handler: async (request, reply) => {
        // The router fills exactly the names of the template, each with one segment.
        const call: Call = { endpoint, request, reply, params: request.params as Record<string, string> }
        const paramIssues = variant.checkParams(call)
        const caller = variant.authorize(call)
        const sent = variant.readBody(call)
        const input = { params: call.params, ...checkInput(call, names, sent, paramIssues) }
        variant.checkKept?.(call, sent, input.body)
        const deadline = { timeout, mutates: endpoint.mutates }
        const result = await withDeadline(reply, deadline, (signal) =>
          handleAndRecord(call, input, {
            ...parts,
            ...turnsOf(parts, request, caller),
            signal,
            caller,
            names,
            member: request.member,
            audited: () => {},
          }),
        )
        return wellFormedJson(variant.answer(call, result))
      },
    })
  }
}

const queryName = /^[\w-]{1,64}$/

/** The engine as the key of a request uses it: its queries wait for their turn. */
function turnsOf({ engine, schedule }: StackDependencies, request: FastifyRequest, caller: Caller | null) {
  const key = request.member?.id ?? caller?.key.id ?? ''
  const named = (header: string) => {
    const text = request.headers[header]
    return typeof text === 'string' && queryName.test(text) ? text : undefined
  }
  const queryId = named(queryIdHeader)
  const asker: Asker = { kind: queryId === undefined ? 'program' : 'page', key, session: named(askerHeader), queryId }
  return {
    engine: engine && (schedule?.engineFor(asker, engine) ?? engine),
    progressOf: async (ids: readonly string[]) => (await schedule?.progressOf(key, ids)) ?? [],
  }
}

/** Writes of a caller are kept in the activity log. */
async function handleAndRecord(
  { endpoint, params }: Call,
  input: CheckedInput,
  context: StackContext,
): Promise<unknown> {
  const { store, caller } = context
  if (!caller || !endpoint.mutates) return handlerOf(endpoint)(input, context)
  const audit = auditOf(store, caller, activitiesOf(endpoint, input.body), params['serviceId'])
  const result = await handlerOf(endpoint)(input, { ...context, store: audit.store, audited: audit.set })
  await audit.finish()
  return result
}

function isServed({ variants, alsoManaged, resource }: Endpoint, variant: Variant, names: WireNames): boolean {
  if (variants.includes(variant)) return true
  if (variant !== 'managed') return false
  return alsoManaged || (productResources.includes(resource) && hasProductNames(names))
}

/** A result as JSON. */
export function jsonOf(result: unknown): string {
  return result instanceof JsonText ? result.text : JSON.stringify(result)
}

/** The envelope of `{items, …}`: the items under the key of the variant, the other fields beside them. */
export function besideItems(result: unknown, key: 'data' | 'result'): object {
  const { items, ...beside } = result as { items: unknown } // what handlers of continued endpoints return
  return { [key]: items, ...beside }
}

/** The schema of a request body under the given names. */
export function bodySchemaOf({ strictBody, productBody }: Endpoint, names: WireNames): z.ZodType {
  return productBody && hasProductNames(names) ? productBody : strictBody
}

function checkInput(
  { endpoint, request }: Call,
  names: WireNames,
  body: unknown,
  paramIssues: readonly Issue[],
): { query: unknown; body: unknown } {
  const invalid: InvalidPart[] = []
  const read = (part: InvalidPart['part'], schema: z.ZodType, value: unknown): unknown => {
    const checked = check(schema, value)
    if (checked.ok) return checked.data
    invalid.push({ part, issues: checked.issues })
    return undefined
  }
  // A body of a GET or DELETE is ignored.
  const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  const checked = {
    body: hasBody ? read('Body', bodySchemaOf(endpoint, names), body) : {},
    query: read('Query', endpoint.query, request.query),
  }
  if (paramIssues.length > 0) invalid.push({ part: 'Params', issues: paramIssues })
  if (invalid.length > 0) throw new InvalidInput(invalid)
  return checked
}

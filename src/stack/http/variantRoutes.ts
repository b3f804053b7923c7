/** What both variants share: one route for each endpoint of the contract, inputs checked, handlers called. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endpoints } from '#contract/index.ts'
import { JsonText, pathTemplate, type Endpoint, type Variant } from '#contract/kernel.ts'
import { namingProfiles, productResources, type WireNames } from '#contract/naming.ts'
import type { StackParts } from '../resources/context.ts'
import { wellFormedJson } from './apiBody.ts'
import { InvalidInput, type InvalidPart, type Issue } from '../errors.ts'
import { handlerOf } from './handlers.ts'
import { check } from '../validation.ts'
import { withDeadline } from './withDeadline.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route answers, for error shapes that differ by resource. */
    endpoint?: Endpoint
  }
}

export interface VariantOptions {
  parts: StackParts
  /** The names that this stack serves. */
  names: WireNames
  /** Requests that a key may make in the variant's window; 0 for no limit. */
  rateLimit: number
  /** Milliseconds that a handler may take. */
  timeout: number
}

export interface Call {
  endpoint: Endpoint
  request: FastifyRequest
  reply: FastifyReply
  params: Record<string, string>
}

/** How one variant differs: what its ids look like, what it makes of a body, how it wraps an answer. */
export interface VariantRoutes {
  variant: Variant
  /** What is wrong with the ids, to be told with all else. @throws for one that rules out everything else */
  checkParams(call: Call): readonly Issue[]
  /** The body in this project's own names. @throws for one that this variant refuses as a whole */
  readBody(call: Call): unknown
  /** The body of a success, as JSON text. `undefined` is a result with nothing to tell. */
  answer(call: Call, result: unknown): string
}

export function registerVariantRoutes(
  app: FastifyInstance,
  variant: VariantRoutes,
  { parts, names, timeout }: VariantOptions,
): void {
  for (const endpoint of endpoints) {
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
        const input = { params: call.params, ...checkInput(call, variant.readBody(call), paramIssues) }
        const wanted = { timeout, mutates: endpoint.mutates }
        const result = await withDeadline(reply, wanted, (signal) => handlerOf(endpoint)(input, { ...parts, signal }))
        return wellFormedJson(variant.answer(call, result))
      },
    })
  }
}

function isServed({ variants, alsoManaged, resource }: Endpoint, variant: Variant, names: WireNames): boolean {
  if (variants.includes(variant)) return true
  if (variant !== 'managed') return false
  return alsoManaged || (productResources.includes(resource) && names.stack !== namingProfiles.neutral.stack)
}

/** A result as JSON. */
export function jsonOf(result: unknown): string {
  return result instanceof JsonText ? result.text : JSON.stringify(result)
}

function checkInput(
  { endpoint, request }: Call,
  body: unknown,
  paramIssues: readonly Issue[],
): { query: unknown; body: unknown } {
  const invalid: InvalidPart[] = []
  const read = (part: InvalidPart['part'], schema: Endpoint['query'], value: unknown): unknown => {
    const checked = check(schema, value)
    if (checked.ok) return checked.data
    invalid.push({ part, issues: checked.issues })
    return undefined
  }
  // A GET or DELETE has no body: whatever came with it is nobody's business.
  const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  const checked = {
    body: hasBody ? read('Body', endpoint.strictBody, body) : {},
    query: read('Query', endpoint.query, request.query),
  }
  if (paramIssues.length > 0) invalid.push({ part: 'Params', issues: paramIssues })
  if (invalid.length > 0) throw new InvalidInput(invalid)
  return checked
}

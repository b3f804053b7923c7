/**
 * The managed variant, `/v1`: docs/DEPLOYMENTS.md#conventions, #pipes, #stack-resources.
 *
 * Alerts accept `channel` or `channels` on both variants and return both. Deployments of this variant may know only
 * `channel`, so clients that send or read only `channel` work too.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { JsonText, type Page } from '#contract/wire/kernel.ts'
import {
  fromWire,
  keyToWire,
  formatRecordName,
  hasProductNames,
  namingProfiles,
  toWire,
  type WireNames,
} from '#contract/wire/naming.ts'
import {
  besideItems,
  bodySchemaOf,
  jsonOf,
  registerVariantRoutes,
  type Call,
  type VariantRoutes,
  type VariantOptions,
} from './variantRoutes.ts'
import { refuseUnsupportedFields } from './unsupportedFields.ts'
import { registerNotOffered } from './notOffered.ts'
import { queryEndpointRoutes } from './queryEndpoint.ts'
import { Refusal, refuse } from '../refusal.ts'
import { isObjectId, isUuid } from '../ids.ts'
import { identities } from '#contract/cloud/organization/identities.ts'
import { services } from '#contract/cloud/services/services.ts'
import { requirePermission, type Caller } from '../access/caller.ts'
import { permissionOf } from '../access/endpointPermissions.ts'
import { createKeyGate } from '../access/keyGate.ts'
import type { Identity } from '../store/identity.ts'
import { createErrorHandler, shortened } from './managedErrors.ts'
import { limitRate } from './rateLimit.ts'

const json = 'application/json; charset=utf-8'

/** Registers everything under `/v1`. */
export async function managedRoutes(app: FastifyInstance, options: VariantOptions): Promise<void> {
  const { identity } = options.parts
  app.setErrorHandler(createErrorHandler(options.names))
  await limitRate(app, {
    requests: options.rateLimit,
    seconds: 10,
    keyOf: (request) => basicOf(request)?.id ?? '',
    headers: 'x-ratelimit',
    message: 'Rate limit exceeded',
  })
  const gate = createKeyGate(options.parts.store, identity)
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.addHook('onRequest', async (request) => {
    const { id: keyId = '', secret: keySecret = '' } = basicOf(request) ?? {}
    const userAgent = shortened(request.headers['user-agent'] ?? '')
    callers.set(request, await gate.admit({ keyId, keySecret, address: request.ip, userAgent }, request.log))
  })
  app.addHook('onClose', () => gate.close())
  registerVariantRoutes(app, variant(identity, options.names, callers), options)
  await app.register(queryEndpointRoutes, { ...options, callerOf: (request) => requireCaller(callers, request) })
  if (hasProductNames(options.names)) registerNotOffered(app)
}

function variant(identity: Identity, names: WireNames, callers: WeakMap<FastifyRequest, Caller>): VariantRoutes {
  return {
    variant: 'managed',

    checkParams({ endpoint, params }) {
      const { organizationId, serviceId, dataPipeId, activityId, backupId, reverseEndpointId, ...rest } = params
      const { apiKeyId, userId, invitationId, roleId, settingName: _name, ...others } = rest
      checkUuid('API key', apiKeyId)
      checkUuid('user', userId)
      checkUuid('invitation', invitationId)
      checkUuid('role', roleId)
      if (activityId !== undefined && activityId.length < 20)
        throw refuse(`length is too small: ${activityId.length} < 20`)
      checkUuid('organization', organizationId)
      checkUuid('service', serviceId)
      checkUuid('data pipe', dataPipeId)
      checkUuid('backup', backupId)
      checkUuid('reverse private endpoint', reverseEndpointId)
      if (organizationId !== undefined && !sameId(organizationId, identity.organizationId)) throw new Refusal(404, '')
      // Only one service has the stack. Handlers of services know the others.
      if (endpoint.scope === 'stack' && serviceId !== undefined && !sameId(serviceId, identity.serviceId)) {
        throw new Refusal(404, serviceId)
      }
      for (const id of Object.values(others)) {
        if (!isObjectId(id)) throw refuse(`Invalid ${formatRecordName(endpoint.resource)} id <string:${shortened(id)}>`)
      }
      return []
    },

    authorize({ endpoint, request, params: { serviceId } }) {
      const caller = requireCaller(callers, request)
      // Lists of services have those that the key may see, so there is no 403 for one that sees only some. Every key may
      // ask who it is.
      if (endpoint !== services.list && endpoint !== identities.whoami)
        requirePermission(caller, permissionOf(endpoint), serviceId)
      return caller
    },

    readBody({ endpoint, request: { body } }) {
      const isStack = endpoint.scope === 'stack'
      const sent = endpoint.resource === 'sources' ? withoutId(body) : body
      refuseUnknownKeys(bodySchemaOf(endpoint, names), sent, isStack ? namingProfiles.neutral : names)
      return isStack ? sent : fromWire(sent, names)
    },

    checkKept({ endpoint }, sent, kept) {
      if (endpoint.mutates && hasProductNames(names)) refuseUnsupportedFields(sent, kept)
    },

    answer(call, result) {
      if (call.endpoint.format === 'text') {
        call.reply.type('text/plain; charset=utf-8')
        return String(result)
      }
      call.reply.type(json)
      const envelope = `"status":200,"requestId":${JSON.stringify(call.request.id)}`
      if (call.endpoint.continued) {
        return JSON.stringify({ status: 200, requestId: call.request.id, ...besideItems(result, 'result') })
      }
      return result === undefined ? `{${envelope}}` : `{${envelope},"result":${resultOf(call, result, names)}}`
    },
  }
}

function requireCaller(callers: WeakMap<FastifyRequest, Caller>, request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Refusal(401, 'Invalid credentials')
  return caller
}

/** Lists have no paging details. Bodies of the cloud's resources use the deployment's names. */
function resultOf({ endpoint }: Call, result: unknown, names: WireNames): string {
  if (endpoint.paged) return jsonOf((result as Page<unknown>).items) // what handlers of paged endpoints return
  if (endpoint.scope === 'stack') return jsonOf(result)
  return JSON.stringify(toWire(result instanceof JsonText ? JSON.parse(result.text) : result, names))
}

function checkUuid(resource: string, id: string | undefined): void {
  if (id !== undefined && !isUuid(id)) throw refuse(`Invalid ${resource} id <string:${shortened(id)}>`)
}

function sameId(requestedId: string, own: string): boolean {
  return requestedId.toLowerCase() === own
}

/** Key id and secret of `Authorization: Basic`, or null. */
function basicOf(request: FastifyRequest): { id: string; secret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? null : { id: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** Refuses unknown keys at the top of a body. The other variant ignores them. */
function refuseUnknownKeys(schema: z.ZodType, body: unknown, names: WireNames): void {
  const known = topLevelKeys(schema)
  if (!known || typeof body !== 'object' || body === null || Array.isArray(body)) return
  const spelled = new Set([...known].map((key) => keyToWire(key, names)))
  const unknown = Object.keys(body).filter((key) => !spelled.has(key))
  if (unknown.length === 0) return
  throw refuse(`request body property can't be validated: ${shortened(unknown.join(', '))}`)
}

/** Clients send a source back with its id, which is ignored. */
function withoutId(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'id'))
}

/** The keys of a schema; null if it is not an object schema. */
function topLevelKeys(schema: unknown): Set<string> | null {
  if (schema instanceof z.ZodObject) return new Set(Object.keys(schema.shape))
  if (schema instanceof z.ZodIntersection) return fieldsOfAll([schema.def.left, schema.def.right])
  if (schema instanceof z.ZodUnion) return fieldsOfAll(schema.def.options)
  return null
}

function fieldsOfAll(schemas: readonly unknown[]): Set<string> {
  return new Set(schemas.flatMap((schema) => [...(topLevelKeys(schema) ?? [])]))
}

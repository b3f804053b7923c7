/** One route for every endpoint of the contract. Nothing else reaches a deployment. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  baseRevisionHeader,
  budgetHeaders,
  priorities,
  priorityHeader,
  queryIdHeader,
  writeIdHeader,
} from '#contract/wire/gatewayWire.ts'
import { roleReason } from '#contract/console/consoleRoles.ts'
import type { Connection } from '#contract/console/connections.ts'
import { consoleEndpoints } from '#contract/index.ts'
import { LosslessNumber, stringifyJson } from '#contract/wire/json.ts'
import { gatewayPath, pathId, type Endpoint } from '#contract/wire/kernel.ts'
import { team } from '#contract/stack/team.ts'
import { toWire } from '#contract/wire/naming.ts'
import type { Connections } from '../connections/connections.ts'
import type { ReadResult } from '../deploymentTools/toolClient.ts'
import type { ToolReads } from '../deploymentTools/toolReads.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { AskedRead, Operation } from '#node/upstream/operation.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import { failure, ApiFailure, refusal } from '#node/upstream/apiFailure.ts'
import { needOf } from '../identity/access/routeRules.ts'
import { turnTaker, type Access } from '../identity/access/access.ts'
import { changeAuthorOf } from '../approvals/changeAuthor.ts'
import { breakGlassApproval, type TwoPersonApproval } from '../approvals/twoPersonApproval.ts'
import { sentForApproval, type ApprovalQueue } from '../approvals/approvalQueue.ts'
import { reachOf } from '../approvals/reach.ts'
import type { GuardedWrite, GuardedWrites } from './guardedWrites.ts'
import { hasMaskedSecrets, restoreSecrets } from './maskedSecrets.ts'
import { masked, refuseMask } from '#node/upstream/masks.ts'
import { recordLocation } from '#node/upstream/records.ts'
import { compressResponse } from '../http/compressedResponses.ts'
import { boundUnread } from '../http/unreadResponses.ts'
import { actorOf, disconnectSignal, parsed, routePath } from '../http/requests.ts'
import type { Revisions } from './recordRevisions.ts'
import { upstreamPath } from '#node/upstream/upstreamPath.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { summarized } from './summaries.ts'
import type { WriteLog } from './writeLog.ts'
import type { KnownSamples } from './knownSamples.ts'

export interface RouteDependencies {
  connections: Connections
  deployments: Deployments
  toolReads: ToolReads
  writeLog: WriteLog<UpstreamResult>
  revisions: Revisions
  guardedWrites: GuardedWrites
  samples: KnownSamples
  twoPersonApproval: TwoPersonApproval
  approvalQueue: ApprovalQueue
  /** Bytes that may wait for one caller. Default: 128 MiB. */
  unreadLimit?: number | undefined
}

const priority = z.enum(priorities)
const revisionText = z.string().regex(/^[\w.-]{1,64}$/, 'must be the revision of a record')
const texts = z.record(z.string(), z.string())

/** Registers `/api/c/{connectionId}/…` for every endpoint. Responds with `gatewayReply` or `apiError`. */
export function registerEndpoints(app: FastifyInstance, parts: RouteDependencies): void {
  const onSend = [boundUnread(parts.unreadLimit), compressResponse]
  for (const endpoint of consoleEndpoints) {
    app.route({
      method: endpoint.method,
      url: routePath(gatewayPath(endpoint)),
      bodyLimit: endpoint.bodyLimit,
      // The response to a write is never withheld: it says what became of it.
      ...(!endpoint.mutates && { onSend }),
      handler: (request, reply) => callEndpoint(endpoint, parts, request, reply),
    })
  }
}

async function callEndpoint(
  endpoint: Endpoint,
  parts: RouteDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { connectionId = '', ...params } = texts.parse(request.params)
  const { whole = endpoint } = endpoint
  const ids = texts.parse(parsed(endpoint.params, params, 'The address'))
  const target = parts.connections.open(parsed(pathId, connectionId, 'The connection ID'))
  const operation: Operation = {
    endpoint: whole,
    path: upstreamPath(whole, target, ids),
    params: ids,
    query: queryOf(endpoint, request),
    priority: priorityOf(request),
    caller: turnTaker(request),
    cause: {
      actor: actorOf(request),
      personId: request.access?.personId ?? null,
      origin: 'console',
      request: request.id,
    },
  }
  const outcome: Promise<ReadResult> = endpoint.mutates
    ? write(parts, target, operation, ids, request)
    : read(parts, target, {
        ...operation,
        body: bodyOf(endpoint, target, request.body),
        signal: disconnectSignal(reply),
        asked: askedBy(request),
      })
  if (endpoint.resource === 'sample') noteSample(parts.samples, connectionId, outcome)
  const { result, requestId, total, origin } = await outcome.finally(() => showBudget(parts, target, reply))
  const shown = masked(whole, shownTo(request.access, connectionId, whole, result))
  return { result: summarized(endpoint, shown), requestId, total, origin, ...revisionsOf(parts, endpoint, result, ids) }
}

/** The result without what only administrators of the connection see. */
function shownTo(
  access: Access | null,
  connectionId: string,
  { forAdministrators }: Endpoint,
  result: unknown,
): unknown {
  const isAll = forAdministrators.length === 0 || access?.roleOn(connectionId) === 'administrator'
  if (isAll || typeof result !== 'object' || result === null) return result
  return Object.fromEntries(Object.entries(result).filter(([name]) => !forAdministrators.includes(name)))
}

function noteSample(samples: KnownSamples, connectionId: string, outcome: Promise<UpstreamResult>): void {
  outcome.then(
    ({ result }) => samples.note(connectionId, result),
    (error: unknown) => {
      if (error instanceof ApiFailure && error.error.code === 'notOffered') samples.note(connectionId, null)
    },
  )
}

/** The revisions that later writes start from. */
function revisionsOf(
  { revisions }: RouteDependencies,
  endpoint: Endpoint,
  result: unknown,
  ids: Record<string, string>,
) {
  const rule = endpoint.record ?? recordLocation(endpoint, ids)?.reader.record
  if (!rule || (endpoint.method === 'DELETE' && !endpoint.operates)) return {}
  return Array.isArray(result)
    ? { revisions: result.map((record: unknown) => revisions.of(rule, record)) }
    : { revision: revisions.of(rule, result) }
}

function read(
  { deployments, toolReads }: RouteDependencies,
  target: UpstreamTarget,
  operation: Operation,
): Promise<ReadResult> {
  return operation.endpoint.paged ? deployments.readAll(target, operation) : toolReads.read(target, operation)
}

async function write(
  { connections, guardedWrites, writeLog, twoPersonApproval, approvalQueue }: RouteDependencies,
  target: UpstreamTarget,
  requested: Operation,
  ids: Record<string, string>,
  request: FastifyRequest,
): Promise<UpstreamResult> {
  const { endpoint, path } = requested
  const author = changeAuthorOf(request)
  const route = await twoPersonApproval.routeOfWrite(target, author, requested)
  refuseReach(connections.list(), target, requested, request.access)
  refuseLocked(endpoint, target, route !== 'direct' && connections.stageOf(target.connectionId) === 'production')
  const operation = route === 'breakGlass' ? withinBreakGlass(requested, request) : requested
  const base = parsed(revisionText.optional(), request.headers[baseRevisionHeader], baseRevisionHeader)
  const sent = signedBody(endpoint, request)
  const needsCurrent = hasMaskedSecrets(endpoint, sent)
  // Input is validated before any request. A body with masks is validated once they are replaced.
  const body = needsCurrent ? undefined : bodyOf(endpoint, target, sent)
  const guarded: GuardedWrite = {
    location: recordLocation(endpoint, ids),
    base,
    needsCurrent,
    operation: (current) => ({
      ...operation,
      body: needsCurrent ? bodyOf(endpoint, target, restoreSecrets(endpoint, sent, current)) : body,
    }),
  }
  const send = async () => {
    if (route === 'approval') {
      throw sentForApproval(await approvalQueue.holdWrite(target, author, await guardedWrites.prepare(target, guarded)))
    }
    const outcome = await guardedWrites.write(target, guarded)
    if (endpoint === team.rotateAccessKey) {
      await connections.replaceAccessKey(target, rotatedKey(outcome.result))
    }
    return outcome
  }
  const writeId = request.headers[writeIdHeader]
  if (writeId === undefined) return send()
  const name = [request.sessionKey, target.connectionId, parsed(pathId, writeId, writeIdHeader)].join(' ')
  // A digest, because a body may be large.
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([endpoint.method, path, base, request.body, author.draft]))
    .digest('base64')
  return writeLog.once(name, fingerprint, send)
}

/** The body with the name of the person who sends it, where the endpoint has a place for it. */
function signedBody({ senderField }: Endpoint, { body, actor }: FastifyRequest): unknown {
  if (senderField === undefined || typeof body !== 'object' || body === null) return body
  const others = Object.entries(body).filter(([name]) => name !== senderField)
  return Object.fromEntries(actor ? [...others, [senderField, actor.slice(0, 256)]] : others)
}

/** @throws malformedReply for a response without the new key */
function rotatedKey(result: unknown): string {
  const { data } = team.rotateAccessKey.result.safeParse(result)
  if (data) return data.newAccessKey
  throw failure(
    'malformedReply',
    'The deployment may have rotated the key, but did not return the new one. Enter the new key in the connection.',
  )
}

/** @throws forbidden or readOnly for a write that reaches other connections, unless the sender may make it on each of them */
function refuseReach(
  all: readonly Connection[],
  target: UpstreamTarget,
  operation: Operation,
  access: Access | null,
): void {
  const { isService, others } = reachOf(all, target, operation)
  for (const { id, name, stage, readOnly } of others) {
    const role = access?.roleOn(id) ?? 'none'
    const what = role === 'none' ? 'another connection' : `the connection ${name}`
    const reason = roleReason(role, needOf(operation.endpoint), stage)
    if (reason !== undefined) throw failure('forbidden', `This changes what ${what} leads to. ${reason}`)
    if (isService && readOnly) {
      throw failure('readOnly', `This service is that of ${what}, which is read-only. Nothing was changed.`)
    }
  }
}

/** Within a break-glass, which the audit log marks. */
function withinBreakGlass(operation: Operation, request: FastifyRequest): Operation {
  request.auditMark = breakGlassApproval
  return { ...operation, cause: operation.cause && { ...operation.cause, approval: breakGlassApproval } }
}

/** @param isApproved whether approval takes the place of the lock that production has by itself */
function refuseLocked(endpoint: Endpoint, target: UpstreamTarget, isApproved: boolean): void {
  if (target.readOnly && !isApproved) {
    throw failure(
      'readOnly',
      `This connection is read-only. The request to ${endpoint.verb} ${endpoint.resource} was not sent.`,
    )
  }
}

/** The query of the request. For paged lists the gateway sends its own. */
function queryOf(endpoint: Endpoint, request: FastifyRequest): URLSearchParams | undefined {
  const parameters = new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1])
  const known = endpoint.query instanceof z.ZodObject ? Object.keys(endpoint.query.shape) : []
  const names = [...parameters.keys()]
  const odd = names.find((name, at) => !known.includes(name) || names.indexOf(name) !== at)
  if (odd !== undefined) throw refusal(400, 'The query has an unknown or repeated parameter.')
  parsed(endpoint.query, Object.fromEntries(parameters), 'The query')
  return endpoint.paged || names.length === 0 ? undefined : parameters
}

/** JSON text for the deployment: validated by the contract, but sent unchanged, including unknown fields. */
function bodyOf(endpoint: Endpoint, target: UpstreamTarget, body: unknown): string | undefined {
  if (!hasBody(endpoint)) {
    if (body !== undefined) throw refusal(400, 'This operation takes no body.')
    return undefined
  }
  refuseMask(endpoint, body)
  parsed(endpoint.body, plainNumbers(body), 'The body')
  // Where a body is optional, none is not the same as `null`.
  if (body === undefined) return undefined
  return stringifyJson(endpoint.scope === 'stack' ? body : toWire(body, target.names))
}

function hasBody({ body }: Endpoint): boolean {
  return !(body instanceof z.ZodObject && Object.keys(body.shape).length === 0)
}

/** Schemas only accept plain numbers. */
function plainNumbers(value: unknown): unknown {
  if (value instanceof LosslessNumber) return Number(value.value)
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainNumbers(item)]))
}

function priorityOf(request: FastifyRequest) {
  return parsed(priority.default('visible'), request.headers[priorityHeader], priorityHeader)
}

const askerSalt = randomBytes(16)

/** The name that the page gave to a read, and whose it is as far as the deployment has to know. */
function askedBy({ headers, sessionKey }: FastifyRequest): AskedRead | undefined {
  const queryId = parsed(pathId.optional(), headers[queryIdHeader], queryIdHeader)
  if (queryId === undefined) return undefined
  return { queryId, asker: createHmac('sha256', askerSalt).update(sessionKey).digest('hex').slice(0, 16) }
}

function showBudget({ deployments }: RouteDependencies, target: UpstreamTarget, reply: FastifyReply): void {
  const { limit, remaining, reset, next } = deployments.budgetOf(target).state()
  if (!Number.isFinite(limit)) return
  void reply.headers({
    [budgetHeaders.limit]: limit,
    [budgetHeaders.remaining]: remaining,
    [budgetHeaders.reset]: reset,
    [budgetHeaders.next]: next,
  })
}

/** The API of change requests. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { changeRequestPaths } from '#contract/console/changeRequestPaths.ts'
import {
  approval,
  changeRequestQuery,
  changeRequestStates,
  comment,
  declining,
  type ChangeRequest,
  type ChangeRequestCounts,
  type ChangeRequestDetail,
  type ChangeRequestPage,
  type ChangeRequestState,
  type RequestedOutcome,
  type RequestedPlan,
} from '#contract/console/changeRequests.ts'
import { roleNeeded } from '#contract/console/consoleRoles.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { DamagedRow, undefinedIfDamaged } from '#node/database/damagedRows.ts'
import { ApiFailure, failure } from '#node/upstream/apiFailure.ts'
import { sees, type Access } from '../../identity/access/access.ts'
import { actorOf, parsed, routePath } from '../../http/requests.ts'
import type { ChangeRequestDependencies, ChangeRequests } from './changeRequests.ts'
import { needsOtherApprover, approvalRefusal, type Caller } from './approvalRights.ts'
import type { StoredRequest } from './storedRequest.ts'

interface RouteDependencies extends ChangeRequestDependencies {
  requests: ChangeRequests
}

const params = z.object({ requestId: pathId })
/** Rows that are read at a time, until enough of them are seen by the caller. */
const batch = 200

export function registerChangeRequests(app: FastifyInstance, parts: RouteDependencies): void {
  const { requests, store } = parts
  const idOf = (request: FastifyRequest) => parsed(params, request.params, 'The ID of the request').requestId
  /** An action on the request in the path, which responds with the request as it is then. */
  const act = (action: (id: string, request: FastifyRequest, caller: Caller) => Promise<void>) => {
    return async (request: FastifyRequest): Promise<ChangeRequestDetail> => {
      const id = idOf(request)
      const found = await store.get(id)
      if (found) {
        const { connectionId, number, title } = found
        request.auditAbout = { connectionId, subject: `${number} ${title}` }
      }
      await action(id, request, callerOf(request))
      return show(parts, id, callerOf(request))
    }
  }

  app.get(changeRequestPaths.changeRequests, (request) => list(parts, request))
  app.get(changeRequestPaths.changeRequestCounts, (request) => counts(parts, request.access))
  app.get(routePath(changeRequestPaths.changeRequest), (request) => show(parts, idOf(request), callerOf(request)))
  app.post(
    routePath(changeRequestPaths.approve),
    act((id, request, caller) => requests.approve(id, parsed(approval, request.body, 'The approval').digest, caller)),
  )
  app.post(
    routePath(changeRequestPaths.decline),
    act((id, request, caller) => requests.decline(id, parsed(declining, request.body, 'The answer').reason, caller)),
  )
  app.post(
    routePath(changeRequestPaths.withdraw),
    act((id, _, caller) => requests.withdraw(id, caller)),
  )
  app.post(
    routePath(changeRequestPaths.comments),
    act((id, request, caller) => requests.comment(id, parsed(comment, request.body, 'The comment').text, caller)),
  )
}

async function show(parts: RouteDependencies, id: string, caller: Caller): Promise<ChangeRequestDetail> {
  return detail(parts, await parts.states.known(id), caller)
}

async function counts({ store, connections }: RouteDependencies, access: Access | null): Promise<ChangeRequestCounts> {
  const waiting = [...(await store.waiting())].filter(([id]) => sees(access, connections, id))
  return { waiting: Object.fromEntries(waiting) }
}

function callerOf(request: FastifyRequest): Caller {
  const { access } = request
  if (access === null) throw failure('signedOut', 'Sign in to continue.')
  return { personId: access.personId, principal: access.principal, actor: actorOf(request), access }
}

const open: readonly ChangeRequestState[] = ['waiting', 'carryingOut']
const statesOf: Record<'open' | 'closed', readonly ChangeRequestState[]> = {
  open,
  closed: changeRequestStates.filter((state) => !open.includes(state)),
}

async function list(parts: RouteDependencies, request: FastifyRequest): Promise<ChangeRequestPage> {
  const { store, states, connections } = parts
  const query = parsed(changeRequestQuery, request.query, 'The query')
  const caller = callerOf(request)
  await states.sweep()
  const isWanted = async (storedRequest: StoredRequest) => {
    if (!sees(caller.access, connections, storedRequest.connectionId)) return false
    if (query.who !== 'forMe') return true
    return storedRequest.state === 'waiting' && (await approvalRefusal(storedRequest, caller, parts)) === undefined
  }
  const filter = {
    ...(query.state !== undefined && {
      states: query.state === 'open' || query.state === 'closed' ? statesOf[query.state] : [query.state],
    }),
    connectionId: query.connectionId,
    ...(query.who === 'mine' && { requesterId: caller.personId ?? '' }),
  }
  const found: StoredRequest[] = []
  for (let before = query.before; found.length <= query.limit;) {
    const rows = await store.list({ ...filter, before, limit: batch })
    for (const row of rows) if (await isWanted(row)) found.push(row)
    before = rows.at(-1)?.number
    if (rows.length < batch) break
  }
  return {
    items: found.slice(0, query.limit).map((storedRequest) => summary(storedRequest, caller)),
    hasMore: found.length > query.limit,
  }
}

function summary(request: StoredRequest, { personId }: Caller): ChangeRequest {
  const { decidedAt, decidedBy, requesterId, agent } = request
  const { id, number, connectionId, title, reason, state, origin, requester, openedAt, expiresAt, changes } = request
  return {
    id,
    number,
    connectionId,
    title,
    reason,
    state,
    origin,
    requester,
    isMine: requesterId === personId,
    ...(agent !== undefined && { agent }),
    openedAt,
    expiresAt,
    changes,
    ...(decidedAt !== undefined && { decidedAt }),
    ...(decidedBy !== undefined && { decidedBy }),
  }
}

async function detail(parts: RouteDependencies, request: StoredRequest, caller: Caller): Promise<ChangeRequestDetail> {
  const { store, approvals } = parts
  const { receiver } = await approvals.settings(request.connectionId)
  const plan = request.state === 'waiting' ? await planNow(parts, request) : {}
  const approved = await store.approved(request).catch(undefinedIfDamaged)
  const reason = await approvalRefusal(request, caller, parts)
  const isWaiting = request.state === 'waiting'
  return {
    ...summary(request, caller),
    ...plan,
    ...(approved && { approved }),
    outcomes: inOrder(await outcomesOf(parts, request, approved), approved),
    ...(request.runId !== undefined && { runId: request.runId }),
    events: await store.events.of(request.id),
    rights: {
      approve: isWaiting && reason === undefined,
      decline: isWaiting && reason === undefined,
      withdraw: isWaiting && request.requesterId === caller.personId,
      ...(reason !== undefined && { reason }),
      approvers: await approversOf(parts, request),
    },
    isNotified: receiver !== null,
  }
}

/** The stored records of writes, or the steps of a run in the order of the plan. The outcome of a damaged step is unknown. */
async function outcomesOf(
  { store, runs }: RouteDependencies,
  { id, runId }: StoredRequest,
  approved: RequestedPlan | undefined,
): Promise<RequestedOutcome[]> {
  if (runId === undefined) return store.outcomes.of(id)
  const { steps, damaged } = await runs.shownSteps(runId)
  return [
    ...steps.map(({ step, state, outcome }) => ({
      key: step.key,
      state,
      ...(outcome && outcome.state !== 'done' && { reason: outcome.reason }),
    })),
    ...damaged.map(({ position, message }) => ({
      key: approved?.changes[position]?.key ?? `Step ${position + 1}`,
      state: 'unknown' as const,
      reason: message,
    })),
  ]
}

/** The outcomes in the order of the approved plan. */
function inOrder(outcomes: readonly RequestedOutcome[], approved: RequestedPlan | undefined): RequestedOutcome[] {
  const places = new Map(approved?.changes.map(({ key }, place) => [key, place]))
  return outcomes.toSorted((a, b) => (places.get(a.key) ?? 0) - (places.get(b.key) ?? 0))
}

/** Who may approve, in words. */
async function approversOf({ twoPersonApproval, connections }: RouteDependencies, request: StoredRequest) {
  const { connectionId, need, requesterId, requester } = request
  const stage = connections.stageOf(connectionId)
  if (stage === undefined) return 'The connection does not exist any more.'
  const role = roleNeeded(need, stage)
  const isOther = await needsOtherApprover(request, twoPersonApproval)
  const others = await twoPersonApproval.peopleWho(connectionId, need, isOther ? requesterId : null)
  if (!isOther && others.length === 0) return `Nobody may approve: an account needs the role ${role}.`
  if (others.length === 0) return `Nobody but ${requester} may approve: somebody else needs the role ${role}.`
  return `Any ${role}${isOther ? ` except ${requester}` : ''} may approve: ${others
    .slice(0, 5)
    .map(({ name }) => name)
    .join(', ')}${others.length > 5 ? ` and ${others.length - 5} more` : ''}.`
}

/** The plan as it is now. A change of it is noted in the timeline, once. */
async function planNow({ plans, store }: RouteDependencies, request: StoredRequest) {
  try {
    const { view } = await plans.of(request, await store.content(request))
    if (
      view.digest !== request.digest &&
      (await store.noteDigest(request, view.digest)) &&
      request.digest !== undefined
    ) {
      const changed = view.changes.filter(({ changedSince }) => changedSince)
      const names = changed.map(({ name, changedBy }) => `${name}${changedBy ? ` (${changedBy.actor})` : ''}`)
      await store.events.add(request.id, 'targetChanged', { text: names.join(', ') || 'The plan has changed.' })
    }
    return { plan: view }
  } catch (error) {
    if (error instanceof ApiFailure || error instanceof DamagedRow) return { planProblem: error.message }
    throw error
  }
}

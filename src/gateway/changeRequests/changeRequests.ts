/** Change requests: opened in place of a change, and decided by a second person. */
import { randomBytes } from 'node:crypto'
import type { ChangeRequestState } from '#contract/changeRequests.ts'
import { expiryHours } from '#contract/changeRequestPaths.ts'
import { stringifyJson } from '#contract/json.ts'
import type { HeldChange } from '#contract/kernel.ts'
import type { Statements } from '#node/database/statements.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { refuseBeyond, type Access } from '../access/access.ts'
import { unknownChangeRequest } from '../access/enforcement.ts'
import { needOf } from '../access/routeRules.ts'
import type { ApprovalStore } from '../approvals/approvalStore.ts'
import type { Asking } from '../approvals/fourEyes.ts'
import type { HeldOperation, HeldRun, Holder } from '../approvals/holder.ts'
import type { NoticeEvent } from '../approvals/noticeBody.ts'
import type { Notices } from '../approvals/notices.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import { placeOf } from '../history/historyKinds.ts'
import type { Standing } from '../people/standing.ts'
import type { OpenRuns } from '../runs/runs.ts'
import type { RunState } from '../runs/runStore.ts'
import { causeOf, type CarryOut } from './carryOut.ts'
import { endpointOf, heldWriteOf, refuseUnheld, withWrite } from './heldWrites.ts'
import type { RequestPlan, RequestPlans } from './requestPlans.ts'
import type { Content, HeldWrite, NewRequest, RequestNeed, RequestStore, StoredRequest } from './requestStore.ts'
import { runTitle, writeTitle } from './requestTitle.ts'
import { whyNotApprove, type Caller } from './rights.ts'

/** Requests of one person that may wait at a time. */
const maxWaiting = 100
/** Comments and other events of one request. */
const maxEvents = 1_000
/** Writes of one request. */
const maxWrites = 500
/** Characters of what a request sends. */
const maxContent = 16 * 1024 * 1024
/** Requests under way that are looked at in one go. */
const maxUnderWay = 200
/** Tries to add a write while others are added. */
const maxTries = 10

export interface ChangeRequestParts {
  store: RequestStore
  approvals: ApprovalStore
  notices: Notices
  plans: RequestPlans
  carryOut: CarryOut
  connections: Connections
  standing: Standing
  runs: OpenRuns
  audit: AuditLog
  /** The address of the console. */
  consoleUrl: () => string
}

export class ChangeRequests implements Holder {
  constructor(private readonly parts: ChangeRequestParts) {}

  async holdWrite(target: UpstreamTarget, asking: Asking, held: HeldOperation): Promise<HeldChange> {
    const { endpoint } = held.operation
    refuseUnheld(endpoint)
    const write = heldWriteOf(held)
    const { deployment } = placeOf(target)
    if (asking.draft.addTo !== undefined) return this.add(asking.draft.addTo, target, asking, write)
    const content: Content = { kind: 'writes', deployment, writes: [write] }
    return this.open(target.connectionId, asking, content, requestNeed([write]), writeTitle(write))
  }

  async holdRun(asking: Asking, { kind, target, steps, details }: HeldRun): Promise<HeldChange> {
    const changing = steps.filter(({ action }) => action !== 'same')
    if (changing.length === 0) throw failure('invalid', 'Nothing would change. No approval is needed.')
    const { deployment } = placeOf(target)
    const content: Content = { kind: 'run', deployment, run: kind, steps: changing, details }
    return this.open(target.connectionId, asking, content, 'write', runTitle({ kind, steps }))
  }

  /** The end of four eyes, which needs a second administrator. */
  holdEnd(connectionId: string, asking: Asking): Promise<HeldChange> {
    return this.open(connectionId, asking, { kind: 'setting' }, 'administrate', 'Switch four eyes off')
  }

  /** @throws notFound */
  async known(id: string): Promise<StoredRequest> {
    await this.expire()
    return this.settled(await this.stored(id))
  }

  /**
   * Approves the plan that was shown, and carries it out at once.
   * @throws conflict for another plan, or if the request was decided meanwhile; forbidden for who may not approve it
   */
  async approve(id: string, digest: string, caller: Caller): Promise<void> {
    const { store, plans, carryOut } = this.parts
    const request = await this.known(id)
    refuseDecided(request)
    const reason = whyNotApprove(request, caller, this.parts.connections)
    if (reason !== undefined || caller.personId === null) throw failure('forbidden', reason ?? 'Sign in.')
    await this.refuseFormer(request)
    const content = await store.content(request)
    const plan = await plans.of(request, content)
    if (plan.view.digest !== digest) throw anotherPlan()
    if (!plan.view.ready) throw failure('invalid', 'The plan cannot be carried out as it is. Nothing was sent.')
    const runId = content.kind === 'run' ? randomBytes(9).toString('hex') : null
    const by = { actor: caller.actor, personId: caller.personId }
    if (!(await store.approve(request, by, plan.view, runId))) {
      refuseDecided(await this.known(id))
      throw anotherPlan()
    }
    try {
      const approved = await this.stored(id)
      await this.begin(approved, content, plan, caller)
      await this.noteApproved(approved)
    } catch (error) {
      carryOut.leave(id)
      throw error
    }
  }

  async decline(id: string, reason: string, caller: Caller): Promise<void> {
    const request = await this.known(id)
    refuseDecided(request)
    const why = whyNotApprove(request, caller, this.parts.connections)
    if (why !== undefined) throw failure('forbidden', why)
    await this.end(request, 'declined', caller, reason)
  }

  async withdraw(id: string, caller: Caller): Promise<void> {
    const request = await this.known(id)
    refuseDecided(request)
    if (request.requesterId !== caller.personId) {
      throw failure('forbidden', `Only ${request.requester}, who opened the request, can withdraw it.`)
    }
    await this.end(request, 'withdrawn', caller)
  }

  async comment(id: string, text: string, { actor }: Caller): Promise<void> {
    const request = await this.known(id)
    if ((await this.parts.store.events(id)).length >= maxEvents) {
      throw failure('blocked', `A change request has at most ${maxEvents} comments and events.`)
    }
    await this.parts.store.addEvent(request.id, 'commented', { actor, text })
  }

  /** Ends the requests whose time is over, and those that a console left. */
  async sweep(): Promise<void> {
    await this.expire()
    const underWay = await this.parts.store.list({ states: ['carryingOut'], limit: maxUnderWay })
    for (const request of underWay) await this.settled(request)
  }

  private async expire(): Promise<void> {
    const { store, audit, notices } = this.parts
    await store.expire(async (request, transaction) => {
      const { connectionId, title, number } = request
      const event = 'changeRequest.expire'
      const subject = `${number} ${title}`
      await audit.enterOwn({ actor: 'Stack Console', event, connectionId, subject, reason: null }, transaction)
      await this.tell('changeRequest.expired', request, transaction)
    })
    notices.sendSoon()
  }

  /** A request as it is: its run may have ended since, or the console that carried it out. */
  private async settled(request: StoredRequest): Promise<StoredRequest> {
    const { store, runs, carryOut } = this.parts
    const isUnderWay = request.state === 'carryingOut'
    const isResumable = request.state === 'carriedOutWithFailures' && request.runId !== undefined
    if (!isUnderWay && !isResumable) return request
    const isLeft = isUnderWay && (await carryOut.takesOver(request))
    if (request.runId !== undefined) {
      const run = await runs.find(request.runId)
      // The console ended between the approval and its run: nothing was sent.
      if (isLeft) await (run ? this.noteApproved(request) : store.takeBack(request.id))
      carryOut.noteSettled(request.id)
      const state = run && stateOf(run.state)
      if (state && state !== request.state) await store.setState(request.id, request.state, state)
    } else if (isLeft) {
      const content = await store.content(request)
      if (content.kind === 'setting') await store.takeBack(request.id)
      if (content.kind === 'writes') {
        await this.noteApproved(request)
        await carryOut.settleLeft(request, content.writes)
      }
    }
    return (await store.get(request.id)) ?? request
  }

  private async stored(id: string): Promise<StoredRequest> {
    const found = await this.parts.store.get(id)
    if (!found) throw unknownChangeRequest()
    return found
  }

  private async noteApproved(request: StoredRequest): Promise<void> {
    const { store, notices } = this.parts
    await store.noteApproved(request, (_, transaction) =>
      this.tell('changeRequest.approved', request, transaction, request.decidedBy),
    )
    notices.sendSoon()
  }

  private async open(
    connectionId: string,
    asking: Asking,
    content: Content,
    need: RequestNeed,
    title: string,
  ): Promise<HeldChange> {
    const { store, notices } = this.parts
    const { personId, by } = personOf(asking)
    refuseTooLarge(content)
    const waiting = await store.list({ states: ['waiting'], requesterId: personId, limit: maxWaiting })
    if (waiting.length === maxWaiting) {
      throw failure('blocked', `${maxWaiting} of your change requests wait already. Withdraw some of them first.`)
    }
    const { draft } = asking
    const hours = draft.hours ?? expiryHours.default
    const given: NewRequest = {
      connectionId,
      title: draft.title ?? title,
      reason: draft.reason ?? '',
      requesterId: personId,
      requester: asking.actor,
      requesterBy: by,
      need,
      expiresAt: new Date(Date.now() + hours * 3_600_000).toISOString(),
      content,
    }
    const request = await store.create(given, (opened, transaction) =>
      this.tell('changeRequest.opened', opened, transaction, asking.actor, opened.reason),
    )
    notices.sendSoon()
    return this.heldChange(request)
  }

  private async add(id: string, target: UpstreamTarget, asking: Asking, write: HeldWrite): Promise<HeldChange> {
    const { store } = this.parts
    const { personId } = personOf(asking)
    const { deployment } = placeOf(target)
    for (let tries = 1; tries <= maxTries; tries++) {
      const request = await this.known(id)
      refuseDecided(request)
      const content = await store.content(request)
      const isMine = request.requesterId === personId && request.connectionId === target.connectionId
      if (!isMine || content.kind !== 'writes' || content.deployment !== deployment) {
        throw failure(
          'invalid',
          'A change can only be added to an open request of your own for single changes on this connection.',
        )
      }
      const writes = withWrite(content.writes, write)
      if (writes.length > maxWrites) throw failure('tooLarge', `A change request has at most ${maxWrites} changes.`)
      refuseTooLarge({ ...content, writes })
      if (!(await store.setContent(request, { ...content, writes }, requestNeed(writes)))) continue
      await store.addEvent(id, 'added', { actor: asking.actor, text: writeTitle(write) })
      return this.heldChange(request)
    }
    throw failure('conflict', 'The change request is being changed by somebody else. Try again.')
  }

  /** What follows an approval. If nothing can follow, the request waits again. */
  private async begin(request: StoredRequest, content: Content, { work }: RequestPlan, caller: Caller): Promise<void> {
    const { store, runs, carryOut, approvals } = this.parts
    if (work.kind === 'writes') {
      carryOut.launch(request, work)
      return
    }
    try {
      if (work.kind === 'setting') {
        await store.setState(request.id, 'carryingOut', 'carriedOut', async ({ connectionId }, transaction) => {
          const { receiver } = await approvals.settings(connectionId, transaction)
          await approvals.setSettings(connectionId, { fourEyes: false, receiver }, transaction)
        })
        return
      }
      if (content.kind !== 'run') return
      const details = {
        // What the run stored beside who started it, when it was planned.
        ...(content.details as Record<string, unknown> & { continueOnFailure: boolean }),
        actor: causeOf(request).actor,
        by: request.requesterBy,
        approval: { number: request.number, by: caller.by ?? '' },
      }
      const { target, steps } = work
      await runs.runner.start([{ id: request.runId, kind: content.run, target, steps, details }])
    } catch (error) {
      await store.takeBack(request.id)
      throw error
    }
  }

  private async end(
    request: StoredRequest,
    state: 'declined' | 'withdrawn',
    { actor, personId }: Caller,
    text?: string,
  ) {
    const { store, notices } = this.parts
    const hasEnded = await store.end(request.id, state, { actor, personId, text }, async (ended, transaction) => {
      if (state === 'declined') await this.tell('changeRequest.declined', ended, transaction, actor, text)
    })
    if (!hasEnded) {
      refuseDecided(await this.known(request.id))
      throw failure('conflict', 'The request changed meanwhile. Reload it.')
    }
    notices.sendSoon()
  }

  /** @throws forbidden if the requester may not do it any more */
  private async refuseFormer({ requesterBy, requester, connectionId, need }: StoredRequest): Promise<void> {
    const access: Access | undefined = await this.parts.standing.accessOf(requesterBy)
    if (!access) throw failure('blocked', `${requester} may not use the console any more. Decline the request.`)
    try {
      refuseBeyond(access, this.parts.connections, connectionId, need)
    } catch {
      throw failure('blocked', `${requester} may not make this change any more. Decline the request.`)
    }
  }

  /** Stores a notification together with what it tells. */
  private async tell(
    event: NoticeEvent,
    request: StoredRequest,
    transaction: Statements,
    actor?: string,
    reason?: string,
  ): Promise<void> {
    const { approvals, notices, connections } = this.parts
    const connection = connections.list().find(({ id }) => id === request.connectionId)
    if (!connection) return
    const { receiver } = await approvals.settings(connection.id, transaction)
    await notices.add(transaction, receiver, {
      event,
      at: new Date().toISOString(),
      connection: { id: connection.id, name: connection.name, stage: connection.stage },
      actor,
      ...(reason && { reason }),
      request: { number: request.number, title: request.title, requester: request.requester },
      link: this.linkOf(request),
    })
  }

  private heldChange({ id, number }: StoredRequest): HeldChange {
    return { id, number, link: this.linkOf({ id }) }
  }

  private linkOf({ id }: Pick<StoredRequest, 'id'>): string {
    return `${this.parts.consoleUrl()}/change-requests/${id}`
  }
}

/** What approving writes needs: the highest of them. */
function requestNeed(writes: readonly HeldWrite[]): RequestNeed {
  return writes.some((write) => needOf(endpointOf(write)) === 'administrate') ? 'administrate' : 'write'
}

/** @throws forbidden for who signed in without an account: nobody would know whose eyes they are */
function personOf({ personId, by }: Asking): { personId: string; by: string } {
  if (personId !== null && by !== null) return { personId, by }
  throw failure(
    'forbidden',
    'Changes of this connection need approval by a second person. Sign in with an account of your own to ask for it: the link and the password of the console do not tell who you are. Nothing was changed.',
  )
}

function refuseTooLarge(content: Content): void {
  if (stringifyJson(content).length > maxContent) {
    throw failure('tooLarge', 'This is too large for one change request. Split it into several.')
  }
}

const decided: Record<Exclude<ChangeRequestState, 'waiting'>, string> = {
  carryingOut: 'was approved, and is being carried out',
  carriedOut: 'was approved and carried out',
  carriedOutWithFailures: 'was approved and carried out, with failures',
  declined: 'was declined',
  withdrawn: 'was withdrawn',
  expired: 'expired',
}

/** @throws conflict for a request that does not wait any more */
function refuseDecided({ number, state, decidedBy }: StoredRequest): void {
  if (state === 'waiting') return
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
  throw failure('conflict', `Change request ${number} ${decided[state]}${state === 'expired' ? '' : by}.`)
}

function anotherPlan() {
  return failure(
    'conflict',
    'The plan is another one by now. The approval holds only for the plan that was shown: review the new one. Nothing was sent.',
  )
}

function stateOf(run: RunState) {
  if (run === 'running' || run === 'stopping') return 'carryingOut'
  return run === 'done' ? 'carriedOut' : 'carriedOutWithFailures'
}

/** Decides about change requests: a second person approves or declines them, and everybody may comment. */
import { randomBytes } from 'node:crypto'
import { failure } from '#node/upstream/apiFailure.ts'
import { refuseBeyond, type Access } from '../../identity/access/access.ts'
import type { ApprovalStore } from '../../approvals/approvalStore.ts'
import type { TwoPersonApproval } from '../../approvals/twoPersonApproval.ts'
import type { Connections } from '../../connections/connections.ts'
import type { CurrentAccess } from '../../identity/people/currentAccess.ts'
import type { OpenRuns } from '../runs/runs.ts'
import { causeOf, type CarryOut } from './carryOut.ts'
import type { RequestNotices } from './requestNotices.ts'
import type { RequestPlan, RequestPlans } from './requestPlans.ts'
import type { RequestStates } from './requestStates.ts'
import type { RequestStore } from './requestStore.ts'
import { approvalRefusal, type Caller } from './approvalRights.ts'
import type { Content, StoredRequest } from './storedRequest.ts'
import { refuseDecided } from './undecidedRequests.ts'

/** Comments and other events of one request. */
const maxEvents = 1_000

export interface ChangeRequestDependencies {
  store: RequestStore
  states: RequestStates
  notices: RequestNotices
  approvals: ApprovalStore
  twoPersonApproval: TwoPersonApproval
  plans: RequestPlans
  carryOut: CarryOut
  connections: Connections
  currentAccess: CurrentAccess
  runs: OpenRuns
}

export class ChangeRequests {
  readonly #parts: ChangeRequestDependencies

  constructor(parts: ChangeRequestDependencies) {
    this.#parts = parts
  }

  /**
   * Approves the plan that was shown, and carries it out at once.
   * @throws conflict for another plan, or if the request was decided meanwhile; forbidden for callers who may not approve it
   */
  async approve(id: string, digest: string, caller: Caller): Promise<void> {
    const { store, states, plans, carryOut } = this.#parts
    const request = await states.known(id)
    refuseDecided(request)
    const reason = await approvalRefusal(request, caller, this.#parts)
    if (reason !== undefined || caller.personId === null) throw failure('forbidden', reason ?? 'Sign in.')
    await this.#refuseFormer(request)
    const content = await store.content(request)
    const plan = await plans.of(request, content)
    if (plan.view.digest !== digest) throw anotherPlan()
    if (!plan.view.ready) throw failure('invalid', 'The plan cannot be carried out as it is. Nothing was sent.')
    const runId = content.kind === 'run' ? randomBytes(9).toString('hex') : null
    const by = { actor: caller.actor, personId: caller.personId }
    if (!(await store.approve(request, by, plan.view, runId))) {
      refuseDecided(await states.known(id))
      throw anotherPlan()
    }
    try {
      const approved = await states.known(id)
      await this.#begin(approved, content, plan, caller)
      await states.noteApproved(approved)
    } catch (error) {
      carryOut.leave(id)
      throw error
    }
  }

  async decline(id: string, reason: string, caller: Caller): Promise<void> {
    const request = await this.#parts.states.known(id)
    refuseDecided(request)
    const why = await approvalRefusal(request, caller, this.#parts)
    if (why !== undefined) throw failure('forbidden', why)
    await this.#end(request, 'declined', caller, reason)
  }

  async withdraw(id: string, caller: Caller): Promise<void> {
    const request = await this.#parts.states.known(id)
    refuseDecided(request)
    if (request.requesterId !== caller.personId) {
      throw failure('forbidden', `Only ${request.requester}, who opened the request, can withdraw it.`)
    }
    await this.#end(request, 'withdrawn', caller)
  }

  async comment(id: string, text: string, { actor }: Caller): Promise<void> {
    const request = await this.#parts.states.known(id)
    if ((await this.#parts.store.events.of(id)).length >= maxEvents) {
      throw failure('blocked', `A change request has at most ${maxEvents} comments and events.`)
    }
    await this.#parts.store.events.add(request.id, 'commented', { actor, text })
  }

  /** The step after an approval. If it is not possible, the request waits again. */
  async #begin(request: StoredRequest, content: Content, { work }: RequestPlan, caller: Caller): Promise<void> {
    const { store, runs, carryOut, approvals } = this.#parts
    if (work.kind === 'writes') {
      carryOut.launch(request, work)
      return
    }
    try {
      if (work.kind === 'setting') {
        await store.setState(request.id, 'carryingOut', 'carriedOut', async ({ connectionId }, transaction) => {
          const settings = await approvals.settings(connectionId, transaction)
          await approvals.setSettings(connectionId, { ...settings, twoPersonApproval: false }, transaction)
        })
        return
      }
      if (content.kind !== 'run') return
      const details = {
        // The data that the run stored beside its author, when it was planned.
        ...(content.details as Record<string, unknown> & { continueOnFailure: boolean }),
        actor: causeOf(request).actor,
        personId: request.requesterId,
        by: request.requesterBy,
        approval: { number: request.number, by: caller.principal ?? '' },
      }
      const { target, steps } = work
      await runs.runner.start([{ id: request.runId, kind: content.run, target, steps, details }])
    } catch (error) {
      await store.takeBack(request.id)
      throw error
    }
  }

  async #end(request: StoredRequest, state: 'declined' | 'withdrawn', { actor, personId }: Caller, text?: string) {
    const { store, states, notices } = this.#parts
    const hasEnded = await store.end(request.id, state, { actor, personId, text }, async (ended, transaction) => {
      if (state === 'declined') await notices.tell(transaction, 'changeRequest.declined', ended, actor, text)
    })
    if (!hasEnded) {
      refuseDecided(await states.known(request.id))
      throw failure('conflict', 'The request changed meanwhile. Reload it.')
    }
    notices.sendSoon()
  }

  /** @throws forbidden if the requester may not do it any more */
  async #refuseFormer({ requesterBy, requester, connectionId, need }: StoredRequest): Promise<void> {
    const access: Access | undefined = await this.#parts.currentAccess.accessOf(requesterBy)
    if (!access) throw failure('blocked', `${requester} may not use the console any more. Decline the request.`)
    try {
      refuseBeyond(access, this.#parts.connections, connectionId, need)
    } catch {
      throw failure('blocked', `${requester} may not make this change any more. Decline the request.`)
    }
  }
}

function anotherPlan() {
  return failure(
    'conflict',
    'The plan has changed since it was shown. Review the new plan and approve it again. Nothing was sent.',
  )
}

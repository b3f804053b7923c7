/** The states of change requests that were approved: those that are being carried out are brought up to date. */
import { undefinedIfDamaged } from '#node/database/damagedRows.ts'
import type { OpenRuns } from '../runs/runs.ts'
import type { RunState } from '../runs/runStore.ts'
import type { CarryOut } from './carryOut.ts'
import type { RequestNotices } from './requestNotices.ts'
import type { RequestStore } from './requestStore.ts'
import type { StoredRequest } from './storedRequest.ts'
import type { UndecidedRequests } from './undecidedRequests.ts'

/** Requests under way that are looked at in one go. */
const maxUnderWay = 200

interface StateDependencies {
  store: RequestStore
  carryOut: CarryOut
  runs: OpenRuns
  notices: RequestNotices
  undecided: UndecidedRequests
}

export class RequestStates {
  readonly #dependencies: StateDependencies

  constructor(dependencies: StateDependencies) {
    this.#dependencies = dependencies
  }

  /** @throws notFound, DamagedRow */
  async known(id: string): Promise<StoredRequest> {
    return this.#settled(await this.#dependencies.undecided.known(id))
  }

  /** Ends the requests whose time is over, and those that a console left. */
  async sweep(): Promise<void> {
    await this.#dependencies.undecided.expire()
    const underWay = await this.#dependencies.store.list({ states: ['carryingOut'], limit: maxUnderWay })
    // The outcome of a damaged one is not known: it stays as it is.
    for (const request of underWay) await this.#settled(request).catch(undefinedIfDamaged)
  }

  /** Notes who approved a request. Its notification is sent once, although several consoles may find out. */
  async noteApproved(request: StoredRequest): Promise<void> {
    const { store, notices } = this.#dependencies
    await store.noteApproved(request, (approved, transaction) =>
      notices.tell(transaction, 'changeRequest.approved', approved, approved.decidedBy),
    )
    notices.sendSoon()
  }

  /** A request as it is: its run may have ended since, or the console that carried it out. */
  async #settled(request: StoredRequest): Promise<StoredRequest> {
    const { store, runs, carryOut } = this.#dependencies
    const isUnderWay = request.state === 'carryingOut'
    const isResumable = request.state === 'carriedOutWithFailures' && request.runId !== undefined
    if (!isUnderWay && !isResumable) return request
    const isLeft = isUnderWay && (await carryOut.takesOver(request))
    if (request.runId !== undefined) {
      const run = await runs.find(request.runId).catch(nullIfDamaged)
      // Its outcome is not known, so the request stays as it is.
      if (run === null) return request
      // Without a run, the console ended between the approval and its run: nothing was sent.
      if (isLeft) await (run ? this.noteApproved(request) : store.takeBack(request.id))
      carryOut.noteSettled(request.id)
      const state = run && stateOf(run.state)
      if (state && state !== request.state) await store.setState(request.id, request.state, state)
    } else if (isLeft) await this.#settleLeft(request)
    return (await store.get(request.id)) ?? request
  }

  async #settleLeft(request: StoredRequest): Promise<void> {
    const { store, carryOut } = this.#dependencies
    const content = await store.content(request)
    if (content.kind === 'writes') {
      await this.noteApproved(request)
      await carryOut.settleLeft(request, content.writes)
    } else {
      await store.takeBack(request.id)
      carryOut.noteSettled(request.id)
    }
  }
}

/** Other than for a run that is absent. */
function nullIfDamaged(error: unknown): null {
  undefinedIfDamaged(error)
  return null
}

function stateOf(run: RunState) {
  if (run === 'running' || run === 'stopping') return 'carryingOut'
  return run === 'done' ? 'carriedOut' : 'carriedOutWithFailures'
}

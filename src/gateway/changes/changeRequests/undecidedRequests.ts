/** Change requests before their decision: reading them, and ending those whose time is over. */
import type { ChangeRequestState } from '#contract/console/changeRequests.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { unknownChangeRequest } from '../../identity/access/enforcement.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { RequestNotices } from './requestNotices.ts'
import type { RequestStore } from './requestStore.ts'
import type { StoredRequest } from './storedRequest.ts'

interface UndecidedDependencies {
  store: RequestStore
  audit: AuditLog
  notices: RequestNotices
}

export class UndecidedRequests {
  readonly #dependencies: UndecidedDependencies

  constructor(dependencies: UndecidedDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * A request as it is stored, expired if its time is over. Whether its run has ended since is not looked at, see `RequestStates`.
   * @throws notFound, DamagedRow
   */
  async known(id: string): Promise<StoredRequest> {
    await this.expire()
    const found = await this.#dependencies.store.get(id)
    if (!found) throw unknownChangeRequest()
    return found
  }

  /** Ends the requests whose time is over. */
  async expire(): Promise<void> {
    const { store, audit, notices } = this.#dependencies
    await store.expire(async (request, transaction) => {
      const { connectionId, title, number } = request
      const event = 'changeRequest.expire'
      const subject = `${number} ${title}`
      const entry = { actor: 'Stack Console', personId: null, event, connectionId, subject, reason: null }
      await audit.enterOwn(entry, transaction)
      await notices.tell(transaction, 'changeRequest.expired', request)
      notices.sendSoon()
    })
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
export function refuseDecided({ number, state, decidedBy }: StoredRequest): void {
  if (state === 'waiting') return
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
  throw failure('conflict', `Change request ${number} ${decided[state]}${state === 'expired' ? '' : by}.`)
}

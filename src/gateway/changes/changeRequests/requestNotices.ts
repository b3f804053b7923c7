/** Tells the receiver of a connection what happened to its change requests. */
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Statements } from '#node/database/statements.ts'
import type { ApprovalStore } from '../../approvals/approvalStore.ts'
import type { NoticeEvent } from '../../approvals/noticeBody.ts'
import type { Notices } from '../../approvals/notices.ts'
import type { Connections } from '../../connections/connections.ts'
import type { StoredRequest } from './storedRequest.ts'

interface NoticeDependencies {
  approvals: ApprovalStore
  notices: Notices
  connections: Connections
  /** The address of the console. */
  consoleUrl: () => string
}

export class RequestNotices {
  readonly #dependencies: NoticeDependencies

  constructor(dependencies: NoticeDependencies) {
    this.#dependencies = dependencies
  }

  /** Stores a notification in the transaction of what it tells. `sendSoon` sends it once that is committed. */
  async tell(
    transaction: Statements,
    event: NoticeEvent,
    request: StoredRequest,
    actor?: string,
    reason?: string,
  ): Promise<void> {
    const { approvals, notices, connections } = this.#dependencies
    const connection = connections.list().find(({ id }) => id === request.connectionId)
    if (!connection) return
    const { receiver } = await approvals.settings(connection.id, transaction)
    await notices.add(transaction, receiver, {
      event,
      at: currentIsoTime(),
      connection: { id: connection.id, name: connection.name, stage: connection.stage },
      actor,
      ...(reason && { reason }),
      request: { number: request.number, title: request.title, requester: request.requester },
      link: this.linkOf(request),
    })
  }

  sendSoon(): void {
    this.#dependencies.notices.sendSoon()
  }

  /** Where people decide about a request. */
  linkOf({ id }: Pick<StoredRequest, 'id'>): string {
    return `${this.#dependencies.consoleUrl()}/change-requests/${id}`
  }
}

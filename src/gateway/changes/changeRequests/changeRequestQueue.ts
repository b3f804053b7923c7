/** Opens change requests in the place of changes that need approval. */
import { expiryHours } from '#contract/console/changeRequestPaths.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import type { HeldChange } from '#contract/wire/kernel.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { needOf } from '../../identity/access/routeRules.ts'
import { type ChangeAuthor, unknownRequester } from '../../approvals/twoPersonApproval.ts'
import type { HeldOperation, HeldRun, ApprovalQueue } from '../../approvals/approvalQueue.ts'
import { locationOf } from '#contract/console/deployments.ts'
import { endpointOf, heldWriteOf, refuseUnheld, withWrite } from './heldWrites.ts'
import type { RequestNotices } from './requestNotices.ts'
import type { RequestStore } from './requestStore.ts'
import type { Content, HeldWrite, NewRequest, RequestNeed, StoredRequest } from './storedRequest.ts'
import { refuseDecided, type UndecidedRequests } from './undecidedRequests.ts'
import { formatRecordName, formatResourceName } from '#contract/wire/naming.ts'
import { capitalized } from '#domain/text/words.ts'
import { formatOperation } from '#domain/records/formatOperation.ts'

/** Requests of one person that may wait at a time. */
const maxWaiting = 100
/** Writes of one request. */
const maxWrites = 500
/** Characters of what a request sends. */
const maxContent = 16 * 1024 * 1024
/** Tries to add a write while others are added. */
const maxTries = 10

interface ChangeRequestQueueDependencies {
  store: RequestStore
  undecided: UndecidedRequests
  notices: RequestNotices
}

export class ChangeRequestQueue implements ApprovalQueue {
  readonly #dependencies: ChangeRequestQueueDependencies

  constructor(dependencies: ChangeRequestQueueDependencies) {
    this.#dependencies = dependencies
  }

  async holdWrite(target: UpstreamTarget, author: ChangeAuthor, held: HeldOperation): Promise<HeldChange> {
    const { endpoint } = held.operation
    refuseUnheld(endpoint)
    const write = heldWriteOf(held)
    const { deployment } = locationOf(target)
    if (author.draft.addTo !== undefined) return this.#add(author.draft.addTo, target, author, write)
    const content: Content = { kind: 'writes', deployment, writes: [write] }
    return this.#open(target.connectionId, author, content, requestNeed([write]), writeTitle(write))
  }

  async holdRun(author: ChangeAuthor, { kind, target, steps, details }: HeldRun): Promise<HeldChange> {
    const changing = steps.filter(({ action }) => action !== 'same')
    if (changing.length === 0) throw failure('invalid', 'Nothing would change. No approval is needed.')
    const { deployment } = locationOf(target)
    const content: Content = { kind: 'run', deployment, run: kind, steps: changing, details }
    return this.#open(target.connectionId, author, content, 'write', runTitle({ kind, steps }))
  }

  /** The end of two-person approval, which needs a second administrator. */
  requestApprovalOff(connectionId: string, author: ChangeAuthor): Promise<HeldChange> {
    return this.#open(connectionId, author, { kind: 'setting' }, 'administrate', 'Switch two-person approval off')
  }

  async #open(
    connectionId: string,
    author: ChangeAuthor,
    content: Content,
    need: RequestNeed,
    title: string,
  ): Promise<HeldChange> {
    const { store, notices } = this.#dependencies
    const { personId, by } = personOf(author)
    refuseTooLarge(content)
    const waiting = await store.list({ states: ['waiting'], requesterId: personId, limit: maxWaiting })
    if (waiting.length === maxWaiting) {
      throw failure('blocked', `${maxWaiting} of your change requests wait already. Withdraw some of them first.`)
    }
    const { draft } = author
    const hours = draft.hours ?? expiryHours.default
    const newRequest: NewRequest = {
      connectionId,
      title: draft.title ?? title,
      reason: draft.reason ?? '',
      requesterId: personId,
      requester: author.actor,
      requesterBy: by,
      agent: author.agent?.name,
      need,
      expiresAt: new Date(currentTime() + hours * 3_600_000).toISOString(),
      content,
    }
    const request = await store.create(newRequest, (opened, transaction) =>
      notices.tell(transaction, 'changeRequest.opened', opened, author.actor, opened.reason),
    )
    notices.sendSoon()
    return this.#heldChange(request)
  }

  async #add(id: string, target: UpstreamTarget, author: ChangeAuthor, write: HeldWrite): Promise<HeldChange> {
    const { store } = this.#dependencies
    const { personId } = personOf(author)
    const { deployment } = locationOf(target)
    for (let tries = 1; tries <= maxTries; tries++) {
      const request = await this.#dependencies.undecided.known(id)
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
      await store.events.add(id, 'added', { actor: author.actor, text: writeTitle(write) })
      return this.#heldChange(request)
    }
    throw failure('conflict', 'The change request is being changed by somebody else. Try again.')
  }

  #heldChange({ id, number }: StoredRequest): HeldChange {
    return { id, number, link: this.#dependencies.notices.linkOf({ id }) }
  }
}

/** The role that approving writes needs: the highest of them. */
function requestNeed(writes: readonly HeldWrite[]): RequestNeed {
  return writes.some((write) => needOf(endpointOf(write)) === 'administrate') ? 'administrate' : 'write'
}

/** @throws forbidden without an account: an approval must name the person who requested the change */
function personOf({ personId, principal }: ChangeAuthor): { personId: string; by: string } {
  if (personId !== null && principal !== null) return { personId, by: principal }
  throw failure('forbidden', `${unknownRequester} Nothing was changed.`)
}

function refuseTooLarge(content: Content): void {
  if (stringifyJson(content).length > maxContent) {
    throw failure('tooLarge', 'This is too large for one change request. Split it into several.')
  }
}

/** The title of a request whose requester gave none. */
const runTitles: Record<HeldRun['kind'], string> = {
  promotion: 'Promote',
  restore: 'Restore',
  undo: 'Undo a run of',
  fileImport: 'Import',
}

const maxTitle = 120

/** Such as `Update alert Payment pool exhausted`, `Scale service Shop`. */
function writeTitle({ resource, verb, name }: Pick<HeldWrite, 'resource' | 'verb' | 'name'>): string {
  return `${capitalized(formatOperation(verb))} ${formatRecordName(resource)} ${name}`.trim().slice(0, maxTitle)
}

/** Such as `Promote 3 dashboards`. */
function runTitle({ kind, steps }: Pick<HeldRun, 'kind' | 'steps'>): string {
  const changed = steps.filter(({ action }) => action !== 'same')
  const [first] = changed
  const kinds = new Set(changed.map((step) => step.kind))
  const what =
    changed.length === 1 && first
      ? `${formatRecordName(first.kind)} ${first.name}`
      : `${changed.length} ${kinds.size === 1 && first ? formatResourceName(first.kind) : 'records'}`
  return `${runTitles[kind]} ${what}`.slice(0, maxTitle)
}

/**
 * Carries out the writes of an approved request, one after another. Each is stored before it is sent and after its response.
 * If the console ends in between, another console reads the record to find out what happened.
 */
import { ApiFailure, failureSentence, OutcomeUnknown } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readBackLocation, verdictOf } from '#node/upstream/readBack.ts'
import type { WriteCause } from '#node/upstream/operation.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { recordWritten } from '../../history/historyKinds.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { Connections } from '../../connections/connections.ts'
import { operationOf, type HeldWrites, type PlannedWrite } from './heldWrites.ts'
import type { RequestStore } from './requestStore.ts'
import type { HeldWrite, StoredRequest } from './storedRequest.ts'
import type { PlannedWork } from './requestPlans.ts'

interface CarryOutDependencies {
  store: RequestStore
  writes: HeldWrites
  deployments: Deployments
  connections: Connections
  audit: AuditLog
  /** @throws if the requester or the approver has lost the permission */
  refuseFormer: (request: StoredRequest) => Promise<void>
  onError: (error: unknown) => void
}

type Outcome = { state: 'done' | 'failed' | 'unknown'; reason?: string }

export class CarryOut {
  readonly #active = new Map<string, Promise<void>>()
  /** IDs of requests that this console has stopped working on before their outcome was stored. */
  readonly #unsettled = new Set<string>()
  #closing = false
  readonly #dependencies: CarryOutDependencies

  constructor(dependencies: CarryOutDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns at once. The outcome of each write is stored as it is known. */
  launch(request: StoredRequest, work: Extract<PlannedWork, { kind: 'writes' }>): void {
    this.#work(request.id, this.#sendAll(request, work))
  }

  /** Leaves a request, which this console has claimed but does not carry out, to be settled later. */
  leave(id: string): void {
    this.#unsettled.add(id)
  }

  /** Removes a request from those that have to be settled. */
  noteSettled(id: string): void {
    this.#unsettled.delete(id)
  }

  /** Claims a request that nobody works on any more. @returns whether this console has to settle it */
  async takesOver({ id }: StoredRequest): Promise<boolean> {
    if (this.#closing || this.#active.has(id)) return false
    if (await this.#dependencies.store.takeOver(id)) this.#unsettled.add(id)
    return this.#unsettled.has(id)
  }

  /** Reads the records to find out which unfinished writes were applied, and ends the request. */
  async settleLeft(request: StoredRequest, writes: readonly HeldWrite[]): Promise<void> {
    if (!this.#active.has(request.id)) this.#work(request.id, this.#settle(request, writes))
    await this.#active.get(request.id)
  }

  /** Stops after the write that is under way. Another console, or the next start, settles what is left. */
  async close(): Promise<void> {
    this.#closing = true
    await Promise.all(this.#active.values())
  }

  #work(id: string, work: Promise<void>): void {
    this.#unsettled.delete(id)
    const task = work
      .catch((error: unknown) => {
        this.#unsettled.add(id)
        this.#dependencies.onError(error)
      })
      .finally(() => this.#active.delete(id))
    this.#active.set(id, task)
  }

  async #settle(request: StoredRequest, writes: readonly HeldWrite[]): Promise<void> {
    const { store } = this.#dependencies
    const known = new Map((await store.outcomes.of(request.id)).map((outcome) => [outcome.key, outcome]))
    for (const write of writes) {
      const state = known.get(write.key)?.state ?? 'waiting'
      if (state === 'waiting') {
        await store.outcomes.set(request.id, write.key, 'skipped', 'The console ended before this was sent.')
      }
      if (state !== 'running') continue
      const outcome = await this.#lookUp(request, write)
      await store.outcomes.set(request.id, write.key, outcome.state, outcome.reason)
    }
    await this.#finish(request)
  }

  async #sendAll(request: StoredRequest, { target, writes }: Extract<PlannedWork, { kind: 'writes' }>): Promise<void> {
    const { store } = this.#dependencies
    const touched = new Set<string>()
    let isStopped = false
    for (const planned of writes) {
      if (this.#closing) return
      const { key } = planned.write
      if (isStopped) {
        await store.outcomes.set(request.id, key, 'skipped', 'An earlier change was not carried out.')
        continue
      }
      await store.outcomes.set(request.id, key, 'running')
      const outcome = await this.#send(request, target, planned, touched)
      await store.outcomes.set(request.id, key, outcome.state, outcome.reason)
      isStopped = outcome.state !== 'done'
    }
    await this.#finish(request)
  }

  async #send(
    request: StoredRequest,
    target: UpstreamTarget,
    planned: PlannedWrite,
    touched: Set<string>,
  ): Promise<Outcome> {
    const cause = causeOf(request)
    const outcome = await this.#dependencies
      .refuseFormer(request)
      .then(() => this.#dependencies.writes.send(target, planned, cause, touched))
      .then(done, failed)
    await this.#note(target, planned, cause, outcome)
    return outcome
  }

  /** Enters writes in the audit log that the journal does not: those of records without a history. */
  async #note(
    target: UpstreamTarget,
    { write, view }: PlannedWrite,
    cause: WriteCause,
    { state, reason }: Outcome,
  ): Promise<void> {
    if (recordWritten(operationOf(target, write))) return
    await this.#dependencies.audit.note({
      cause,
      connectionId: target.connectionId,
      event: `${write.resource}.${write.verb}`,
      outcome: state === 'failed' ? 'refused' : state,
      reason: reason ?? null,
      change: { kind: write.resource, recordId: view.recordId, name: write.name },
    })
  }

  async #lookUp(request: StoredRequest, write: HeldWrite): Promise<Outcome> {
    const unknown = { state: 'unknown', reason: 'The console ended while this was sent. Check the record.' } as const
    try {
      const target = this.#dependencies.connections.open(request.connectionId)
      const operation = operationOf(target, write)
      const place = readBackLocation(operation.endpoint, operation.path)
      if (!place) return unknown
      const reading = { ...place, priority: 'readBack', fresh: true } as const
      const seen = await (
        place.endpoint.paged
          ? this.#dependencies.deployments.readAll(target, reading)
          : this.#dependencies.deployments.read(target, reading)
      ).catch((error: unknown) => (error instanceof Error ? error : new Error('unknown')))
      const startedAt = Date.parse(request.decidedAt ?? request.openedAt)
      const verdict = verdictOf({ endpoint: operation.endpoint, body: operation.body, startedAt }, seen)
      if (verdict === 'applied')
        return { state: 'done', reason: 'The console ended while this was sent. A check found it done.' }
      return verdict === 'notApplied'
        ? { state: 'failed', reason: 'The console ended before this was written.' }
        : unknown
    } catch {
      return unknown
    }
  }

  async #finish({ id }: StoredRequest): Promise<void> {
    const { store } = this.#dependencies
    const isDone = (await store.outcomes.of(id)).every(({ state }) => state === 'done')
    const state = isDone ? 'carriedOut' : 'carriedOutWithFailures'
    await store.setState(id, 'carryingOut', state)
  }
}

/** The author of the changes of an approved request: its requester, with the approval. */
export function causeOf({ requester, requesterId, decidedBy, number }: StoredRequest): WriteCause {
  return {
    actor: `${requester}, approved by ${decidedBy ?? 'somebody'}`,
    personId: requesterId,
    origin: 'console',
    approval: `request ${number}`,
  }
}

function done(notKept: readonly string[]): Outcome {
  if (notKept.length === 0) return { state: 'done' }
  return { state: 'done', reason: `This deployment did not keep: ${notKept.join(', ')}.` }
}

function failed(error: unknown): Outcome {
  if (error instanceof OutcomeUnknown) {
    if (error.verdict === 'applied') return { state: 'done', reason: error.message }
    return { state: error.verdict === 'notApplied' ? 'failed' : 'unknown', reason: error.message }
  }
  if (error instanceof ApiFailure) return { state: 'failed', reason: failureSentence(error) }
  return { state: 'failed', reason: 'It failed for an internal reason. The log has the details.' }
}

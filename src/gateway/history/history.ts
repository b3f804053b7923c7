/**
 * The journal of the records of all deployments. A write is stored before it is sent, and closed with its outcome; a kill in
 * between leaves an entry that the next start completes.
 */
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { ApiFailure, OutcomeUnknown } from '#node/upstream/apiFailure.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { Journal } from '#node/upstream/journal.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { AuditedWrite } from '../audit/auditLog.ts'
import type { DeploymentLocation } from '#contract/console/deployments.ts'
import type { ChangeStore, NewChange, SettledChange } from './changeStore.ts'
import { placeOfRecord, recordRead, recordWritten } from './historyKinds.ts'
import { Observer } from './observer.ts'
import type { OtherWrites } from './otherWrites.ts'
import type { ProvisionalResults } from './provisionalResults.ts'
import type { RecordStates } from './recordStates.ts'
import type { Versions } from './versions.ts'
import type { WritesUnderWay } from './writesUnderWay.ts'

/** The data needed to find out the outcome of a write after a crash. */
export interface PendingWrite {
  resource: string
  verb: string
  path: string
  params: Record<string, string>
  body: string | undefined
  /** Epoch milliseconds. */
  startedAt: number
}

/** Milliseconds. */
const closingTimeout = 2_000

export const pendingContext = 'pending write'

interface HistoryDependencies {
  store: ChangeStore
  states: RecordStates
  versions: Versions
  writes: WritesUnderWay
  others: OtherWrites
  provisional: ProvisionalResults
  sealed: SealedJson
  onError: (error: unknown) => void
  /** Told of every write of this process, once its outcome is known. */
  onWritten?: (write: AuditedWrite) => Promise<void>
}

/** A write that was stored and not yet closed. */
interface OpenWrite extends DeploymentLocation {
  seq: number
  kind: string
  id: string | null
  action: NewChange['action']
  before: string | undefined
  name: string
  startedAt: number
}

export class History implements Journal {
  readonly #observer: Observer
  /** Writes whose outcome could not be stored. */
  readonly #unsettled = new Set<number>()
  readonly #dependencies: HistoryDependencies

  constructor(dependencies: HistoryDependencies) {
    this.#dependencies = dependencies
    this.#observer = new Observer(dependencies)
  }

  seen(target: UpstreamTarget, operation: Operation, result: unknown, startedAt: number, isComplete: boolean): void {
    const record = recordRead(operation)
    if (!record || (record.id === null && !isComplete)) return
    this.#observer.note({
      ...placeOfRecord(target, operation.params, record.id),
      connectionId: target.connectionId,
      ...record,
      result,
      startedAt,
    })
  }

  async begin(target: UpstreamTarget, operation: Operation) {
    const record = recordWritten(operation)
    if (!record) return null
    const place = placeOfRecord(target, operation.params, record.id)
    await this.#firstSight(place, record)
    const end = this.#dependencies.writes.begin(place, record.kind, record.id)
    const { states } = this.#dependencies
    try {
      // After what others look at now, whose changes came before.
      const open = await states.inTurn(place, record.kind, () => this.#enter(target, operation, place, record))
      return async (outcome: UpstreamResult | Error) => {
        try {
          const settled = await states.inTurn(open, open.kind, () => this.settle(open, outcome))
          await this.#report(target, operation, open, settled)
        } catch (error) {
          // The write itself is done. The entry stays pending, and whoever takes it over completes it.
          this.#unsettled.add(open.seq)
          this.#dependencies.states.forget(open.deployment, open.kind)
          this.#dependencies.onError(error)
        } finally {
          end()
        }
      }
    } catch (error) {
      end()
      throw error
    }
  }

  /**
   * A record that was only just read for the first time is stored before it is written: otherwise the entry of the write
   * would not say what was there before.
   */
  async #firstSight(
    { deployment }: DeploymentLocation,
    { kind, id }: { kind: string; id: string | null },
  ): Promise<void> {
    if (id === null || (await this.#dependencies.states.known(deployment, kind)).has(id)) return
    await this.#observer.settled()
  }

  /** Lets the consoles of the database complete what could not be settled, such as this one. A file has none until the next start. */
  async giveUpUnsettled(): Promise<void> {
    const changes = [...this.#unsettled]
    if (changes.length === 0) return
    await this.#dependencies.store.write(...changes.map((seq) => this.#dependencies.store.releaseOwner(seq)))
    for (const seq of changes) this.#unsettled.delete(seq)
  }

  /** Returns once all reads so far are stored. */
  settled(): Promise<void> {
    return this.#observer.settled()
  }

  /** Stores what was read, as far as that does not take long: later reads show it as well. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#observer.stop(), closingTimeout)
    await this.settled()
    clearTimeout(timer)
  }

  async #enter(
    target: UpstreamTarget,
    { endpoint, path, params = {}, body, cause }: Operation,
    place: DeploymentLocation,
    { kind, id }: { kind: string; id: string | null },
  ): Promise<OpenWrite> {
    const { store, states, sealed, writes, others } = this.#dependencies
    const known = id === null ? undefined : (await states.known(place.deployment, kind)).get(id)
    const startedAt = currentTime()
    // It was not in the last list, so somebody else created it since, or an earlier process.
    const isNew =
      id !== null &&
      !known &&
      writes.leftOf(place, kind, null).length === 0 &&
      (await others.pending(place, kind, null, 'others')).length === 0
    if (isNew && (await store.wasListed(place.deployment, kind))) {
      await store.write(
        store.insert({ ...newOutside(target, place, kind, id), at: new Date(startedAt - 1).toISOString() }),
      )
    }
    const { resource, verb, method } = endpoint
    const pending: PendingWrite = { resource, verb, path, params, body, startedAt }
    const action = actionOf(endpoint.verb, method, endpoint.operates)
    const name = known?.name || nameIn(body)
    const seq = await store.begin({
      ...place,
      connectionId: target.connectionId,
      kind,
      recordId: id,
      name,
      action,
      cause: cause?.origin ?? 'console',
      actor: cause?.actor,
      run: cause?.run,
      at: new Date(startedAt).toISOString(),
      outcome: 'pending',
      before: known?.hash,
      method,
      path,
      pending: sealed.seal(pendingContext, pending),
    })
    return { ...place, seq, kind, id, action, before: known?.hash, name, startedAt }
  }

  /** Closes an entry. */
  async settle(open: OpenWrite, outcome: UpstreamResult | Error): Promise<SettledChange> {
    const { store } = this.#dependencies
    const duration = Math.max(0, currentTime() - open.startedAt)
    const plain: SettledChange = {
      recordId: open.id,
      name: open.name,
      outcome: 'done',
      after: null,
      fields: null,
      status: null,
      duration,
      requestId: null,
      reason: null,
    }
    if (outcome instanceof Error) {
      const settled = { ...plain, ...failed(outcome) }
      const gone = settled.outcome === 'done' && open.action === 'deleted' ? await this.#gone(open) : []
      await store.write(...gone, store.settle(open.seq, settled))
      return settled
    }
    const { result, requestId = null } = outcome
    if (open.action === 'deleted') {
      const settled = { ...plain, requestId }
      await store.write(...(await this.#gone(open)), store.settle(open.seq, settled))
      return settled
    }
    const id = open.id ?? (isPlainObject(result) && typeof result['id'] === 'string' ? result['id'] : null)
    // An operation responds with something else than the record: the next read shows what it did.
    if (id === null || !isWhole(result, open)) {
      const settled = { ...plain, recordId: id, requestId }
      await store.write(store.settle(open.seq, settled))
      return settled
    }
    const { states, versions, writes, provisional } = this.#dependencies
    const version = versions.of(open.kind, result)
    const name = typeof result['name'] === 'string' ? result['name'] : open.name
    const fields = await states.changedFields(open.before, version)
    const put = await states.put(open.deployment, open.kind, { id, name }, version, currentIsoTime())
    if (open.id === null) writes.noteChanged(open, open.kind, id)
    const note = provisional.note(open, open.kind, id, open.seq)
    const settled: SettledChange = { ...plain, recordId: id, name, after: version.hash, fields, requestId }
    await store.write(...put, ...note, store.settle(open.seq, settled))
    return settled
  }

  async #report(target: UpstreamTarget, { endpoint, cause }: Operation, open: OpenWrite, settled: SettledChange) {
    if (!cause) return
    const { recordId, name, outcome, after, reason } = settled
    await this.#dependencies.onWritten?.({
      cause,
      connectionId: target.connectionId,
      event: `${endpoint.resource}.${endpoint.verb}`,
      outcome: outcome === 'done' || outcome === 'refused' ? outcome : 'unknown',
      reason,
      change: { kind: open.kind, recordId, name, before: open.before, ...(after !== null && { after }) },
    })
  }

  async #gone({ deployment, kind, id }: Pick<OpenWrite, 'deployment' | 'kind' | 'id'>) {
    return id === null ? [] : this.#dependencies.states.remove(deployment, kind, id, currentIsoTime())
  }
}

/** Whether a response is the record itself, and not only the part that was written. */
function isWhole(result: unknown, { kind, id }: OpenWrite): result is JsonObject {
  if (!isPlainObject(result)) return false
  return kind.includes('/') || (typeof result['id'] === 'string' && (id === null || result['id'] === id))
}

function newOutside(
  { connectionId }: UpstreamTarget,
  place: DeploymentLocation,
  kind: string,
  recordId: string,
): NewChange {
  const what = { kind, recordId, name: '', action: 'created', cause: 'outside', outcome: 'found' } as const
  return { ...place, connectionId, ...what, at: '' }
}

function actionOf(verb: string, method: string, operates: boolean): NewChange['action'] {
  if (operates) return 'operated'
  if (verb === 'create') return 'created'
  if (method === 'DELETE') return 'deleted'
  return verb.startsWith('update') ? 'updated' : 'operated'
}

function nameIn(body: string | undefined): string {
  const value = body === undefined ? null : readJson(body)
  return isPlainObject(value) && typeof value['name'] === 'string' ? value['name'] : ''
}

function failed(error: Error): Pick<SettledChange, 'outcome' | 'status' | 'reason' | 'requestId'> {
  if (!(error instanceof ApiFailure)) return { outcome: 'unknown', status: null, reason: null, requestId: null }
  const { message: reason, status, requestId = null } = error.error
  if (!(error instanceof OutcomeUnknown)) return { outcome: 'refused', status, reason, requestId }
  const outcomes = { applied: 'done', notApplied: 'refused', unknown: 'unknown' } as const
  return { outcome: outcomes[error.verdict], status: null, reason, requestId }
}

/** Completes writes that a killed console left in the journal: what is stored at the deployment tells their outcome. */
import { endpoints } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readBackLocation, rowsLike, verdictOf, type Verdict } from '#node/upstream/readBack.ts'
import { readRecord, recordLocation } from '#node/upstream/records.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { VaultError } from '#node/secrets/vault.ts'
import type { Connections } from '../connections/connections.ts'
import type { Statement } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { DeploymentLocation } from '#contract/console/deployments.ts'
import type { ChangeStore, PendingChange } from './changeStore.ts'
import type { KnownRecord } from './recordStateStore.ts'
import { pendingContext, type PendingWrite } from './history.ts'
import { placeOfRecord } from './historyKinds.ts'
import type { OtherWrites } from './otherWrites.ts'
import type { RecordStates } from './recordStates.ts'
import type { Versions } from './versions.ts'
import type { WritesUnderWay } from './writesUnderWay.ts'

/** Milliseconds until a deployment that cannot be reached is asked again. */
const retryAfter = 60_000
/** Reads of a record that is written meanwhile. */
const maxReads = 3

const checked = 'The console ended before the response arrived. What is stored was checked afterwards.'
const unreadable = 'The console ended before the response arrived. What was sent can no longer be read.'
const notReachable =
  'The console ended before the response arrived. Its connection was deleted or leads to another deployment.'

interface PendingWriteDependencies {
  connections: Connections
  deployments: Deployments
  store: ChangeStore
  states: RecordStates
  versions: Versions
  writes: WritesUnderWay
  others: OtherWrites
  sealed: SealedJson
  onError: (error: unknown) => void
}

/** A change, and what ends it for reads that wait for its outcome. */
interface LeftChange extends PendingChange {
  end: (readAt: number) => void
}

/** The result of a read after the write. */
interface Seen {
  verdict: Verdict
  id: string | null
  record: JsonObject | undefined
}

export class PendingWrites {
  readonly #left = new Set<LeftChange>()
  #timer: NodeJS.Timeout | undefined
  #settling: Promise<void> = Promise.resolve()
  #isClosed = false
  readonly #dependencies: PendingWriteDependencies

  constructor(dependencies: PendingWriteDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Takes over what consoles left that have ended. What can be completed is completed soon, and the rest later. Called
   * before this process writes, and again while other consoles may end.
   */
  async takeOver(): Promise<void> {
    if (this.#isClosed) return
    const { store, writes } = this.#dependencies
    const taken = await store.takeOver()
    for (const change of taken) this.#left.add({ ...change, end: writes.leave(change, change.kind, change.recordId) })
    if (taken.length > 0) this.#settle()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#settling
  }

  #settle(): void {
    clearTimeout(this.#timer)
    this.#settling = this.#settling.then(() => this.#settleLeft()).catch(this.#dependencies.onError)
  }

  async #settleLeft(): Promise<void> {
    for (const change of this.#left) {
      if (this.#isClosed) return
      try {
        const readAt = await this.#settleOne(change)
        if (readAt === undefined) continue
        this.#left.delete(change)
        change.end(readAt)
      } catch (error) {
        if (!(error instanceof ApiFailure)) this.#dependencies.onError(error)
      }
    }
    if (this.#left.size === 0 || this.#isClosed) return
    this.#timer = setTimeout(() => this.#settle(), retryAfter)
    this.#timer.unref()
  }

  /** @returns when the record was read; undefined if it is written all the time. @throws ApiFailure if it cannot be read */
  async #settleOne(change: PendingChange): Promise<number | undefined> {
    const { store, states, writes, others } = this.#dependencies
    const write = this.#opened(change)
    const endpoint = endpoints.find(({ resource, verb }) => resource === write?.resource && verb === write.verb)
    const target = write && this.#targetOf(change, write)
    if (!write || !endpoint || !target) {
      await store.write(store.abandon(change.seq, write && endpoint ? notReachable : unreadable))
      return performance.now()
    }
    for (let attempt = 0; attempt < maxReads; attempt++) {
      await others.noteNow()
      const startedAt = performance.now()
      const seen = await this.#read(target, endpoint, write)
      // A row that was never seen may be of a creation that this process sent, or another console.
      if (change.recordId === null) {
        await Promise.all(writes.creationsOf(change, change.kind))
        await others.ended(await others.pending(change, change.kind, null, 'others'))
      }
      const isClosed = await states.inTurn(change, change.kind, async () => {
        if (change.recordId !== null && (await this.#isLate({ ...change, startedAt }, change.recordId))) return false
        const judged = await this.#judged(change, endpoint, write, seen)
        await this.#closeChange(change, endpoint, judged)
        if (judged.id !== null) writes.noteChanged(change, change.kind, judged.id, startedAt)
        return true
      })
      if (isClosed) return startedAt
    }
    return undefined
  }

  /** Whether a read may not show what was written to the record since. */
  async #isLate(seen: DeploymentLocation & { kind: string; startedAt: number }, id: string): Promise<boolean> {
    const { writes, others, states } = this.#dependencies
    if (writes.hasChanged(seen, id)) return true
    return others.mayMiss(seen, id, (await states.known(seen.deployment, seen.kind)).get(id), 'others')
  }

  /** Undefined if it is damaged. */
  #opened({ bytes }: PendingChange): PendingWrite | undefined {
    try {
      return this.#dependencies.sealed.open(pendingContext, bytes) as PendingWrite // what `History` sealed
    } catch (error) {
      if (error instanceof VaultError) return undefined
      throw error
    }
  }

  #targetOf(
    { connectionId, deployment, recordId }: PendingChange,
    { params }: PendingWrite,
  ): UpstreamTarget | undefined {
    const { connections } = this.#dependencies
    if (!connections.list().some(({ id }) => id === connectionId)) return undefined
    const target = connections.open(connectionId)
    return placeOfRecord(target, params, recordId).deployment === deployment ? target : undefined
  }

  async #read(target: UpstreamTarget, endpoint: Endpoint, write: PendingWrite): Promise<UpstreamResult | Error> {
    const { deployments } = this.#dependencies
    const location = recordLocation(endpoint, write.params)
    if (location) {
      return readRecord(deployments, target, location, 'background').then((result) => ({ result }), orNotFound)
    }
    const list = readBackLocation(endpoint, write.path)
    if (!list) return new Error('Deployments have no list of these records.')
    const reading = { ...list, priority: 'background', fresh: true } as const
    return list.endpoint.paged ? deployments.readAll(target, reading) : deployments.read(target, reading)
  }

  async #judged(
    change: PendingChange,
    endpoint: Endpoint,
    { body, startedAt }: PendingWrite,
    seen: UpstreamResult | Error,
  ): Promise<Seen> {
    const { store } = this.#dependencies
    const verdict = verdictOf({ endpoint, body, startedAt: Number(startedAt) }, seen)
    const id = change.recordId
    if (id === null) return this.#judgedCreation(change, endpoint, verdict, seen, body)
    const result = seen instanceof Error ? undefined : seen.result
    // A later write may have replaced what this one did.
    const isReplaced = verdict === 'notApplied' && (await store.hasNewer(change))
    return { verdict: isReplaced ? 'unknown' : verdict, id, record: isPlainObject(result) ? result : undefined }
  }

  /** Where all earlier records are known, the one that is new is the created one. */
  async #judgedCreation(
    { deployment, kind }: PendingChange,
    { scope }: Endpoint,
    verdict: Verdict,
    seen: UpstreamResult | Error,
    body: string | undefined,
  ): Promise<Seen> {
    const { store, states } = this.#dependencies
    const plain = { verdict, id: null, record: undefined }
    const rows = seen instanceof Error ? null : rowsLike(body, seen.result)
    if (!rows || !(await store.wasListed(deployment, kind))) return plain
    const known = await states.known(deployment, kind)
    const created = rows.flatMap((row) => (typeof row['id'] === 'string' && !known.has(row['id']) ? [row['id']] : []))
    const [id = null, ...more] = created
    if (more.length > 0) return plain
    // Services and pipes appear only after a while.
    if (id === null) return { ...plain, verdict: scope === 'stack' ? 'notApplied' : 'unknown' }
    const record = rows.find((row) => row['id'] === id)
    return { verdict: 'applied', id, record: isPlainObject(record) ? record : undefined }
  }

  /** Stores the outcome together with the version that the record has now. */
  async #closeChange(change: PendingChange, { verb }: Endpoint, { verdict, id, record }: Seen): Promise<void> {
    const { store, states } = this.#dependencies
    const { deployment, kind, seq, before, reason } = change
    const old = id === null ? undefined : (await states.known(deployment, kind)).get(id)
    const statements: Statement[] = []
    let after: string | null = null
    let fields: number | null = null
    if (id !== null && verb === 'delete' && verdict === 'applied') {
      statements.push(...(await states.remove(deployment, kind, id, currentIsoTime())))
    } else if (id !== null && record && verdict !== 'notApplied') {
      const { version, put } = await this.#put(change, id, record, old)
      const { hash } = version
      statements.push(...put)
      // With an unknown outcome, a record that is as it was may still change.
      if (verdict === 'applied' || hash !== before) after = hash
      if (after !== null) fields = await states.changedFields(before ?? undefined, version)
    }
    const outcomes = { applied: 'done', notApplied: 'refused', unknown: 'unknown' } as const
    const name = typeof record?.['name'] === 'string' ? record['name'] : old?.name || change.name
    const rest = { status: null, duration: null, requestId: null, reason: reason ?? checked }
    statements.push(store.settle(seq, { recordId: id, name, outcome: outcomes[verdict], after, fields, ...rest }))
    try {
      await store.write(...statements)
    } catch (error) {
      states.forget(deployment, kind)
      throw error
    }
  }

  async #put({ deployment, kind }: PendingChange, id: string, record: JsonObject, old: KnownRecord | undefined) {
    const { states, versions } = this.#dependencies
    const version = versions.of(kind, record)
    if (old?.hash === version.hash && old.goneAt === null) return { version, put: [] }
    const name = typeof record['name'] === 'string' ? record['name'] : ''
    return { version, put: await states.put(deployment, kind, { id, name }, version, currentIsoTime()) }
  }
}

function orNotFound(error: unknown): ApiFailure {
  if (error instanceof ApiFailure && error.error.code === 'notFound') return error
  throw error
}

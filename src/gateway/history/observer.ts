/**
 * Compares each record that is read with its newest version: new versions, and changes that this console did not make.
 *
 * This happens in the background, in slices with rests between them, so that neither the response nor other requests wait;
 * without rests while somebody waits for the result. Changes that are made and taken back between two reads are not noticed,
 * and neither are fields that a deployment changes by itself, such as the state of an alert.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import type { Statement } from '../database/database.ts'
import type { DeploymentLocation } from '#contract/console/deployments.ts'
import type { ChangeStore, NewChange } from './changeStore.ts'
import type { KnownRecord } from './recordStateStore.ts'
import { GoneAlerts, isWatchedKind, watchedRecordsOf } from './goneAlerts.ts'
import type { OtherWrites } from './otherWrites.ts'
import type { ProvisionalResults } from './provisionalResults.ts'
import type { RecordStates } from './recordStates.ts'
import type { Version, Versions } from './versions.ts'
import type { WritesUnderWay } from './writesUnderWay.ts'

/** Milliseconds of work without a pause. */
const slice = 8
/** Milliseconds between two slices. */
const rest = 24
/** Milliseconds until the work begins. By then, the response to the read has usually been sent. */
const delay = 1_000
/** Statements of one transaction. */
const batchSize = 200
/** Milliseconds after a creation in which a record of its name is taken for the created one. */
const creationsShownWithin = 3_600_000

/** Observations of one list that wait. Further ones replace the oldest. */
const maxWaiting = 4

export interface Observation extends DeploymentLocation {
  connectionId: string
  kind: string
  /** Null for a whole list. */
  id: string | null
  result: unknown
  /** By `performance.now()`, before the request. */
  startedAt: number
}

interface Noted extends Observation {
  /** By `performance.now()`, after the response. */
  endedAt: number
}

/** A row of an observation that waited for writes. */
interface Part extends Noted {
  isPart: true
}

interface SeenRow {
  id: string
  name: string
  row: JsonObject
}

interface ObserverDependencies {
  store: ChangeStore
  states: RecordStates
  versions: Versions
  writes: WritesUnderWay
  others: OtherWrites
  provisional: ProvisionalResults
  onError: (error: unknown) => void
}

export class Observer {
  readonly #goneAlerts = new GoneAlerts()
  /** The newest observations of each record and list, the oldest first. */
  readonly #waiting = new Map<string, (Noted | Part)[]>()
  #working: Promise<void> | null = null
  #pausedAt = 0
  #isStopped = false
  /** Calls of `settled` that wait. */
  #waiters = 0
  #wake = () => {}

  readonly #dependencies: ObserverDependencies

  constructor(dependencies: ObserverDependencies) {
    this.#dependencies = dependencies
  }

  note(observation: Observation): void {
    const { deployment, kind, id } = observation
    this.#add(`${deployment} ${kind} ${id ?? '*'}`, { ...observation, endedAt: performance.now() })
  }

  /** Returns once everything that was noted is stored, beside what waits for writes under way. */
  async settled(): Promise<void> {
    this.#waiters += 1
    this.#wake()
    try {
      while (this.#working) await this.#working
    } finally {
      this.#waiters -= 1
    }
  }

  /** Leaves the rest to later reads. */
  stop(): void {
    this.#isStopped = true
  }

  #add(key: string, observation: Noted | Part): void {
    // Between two reads of the same list, a record may have come and gone.
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), observation].slice(-maxWaiting))
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    await this.#pause(delay)
    try {
      for (const [key, observations] of this.#waiting) {
        this.#waiting.delete(key)
        for (const observation of observations) if (!this.#isStopped) await this.#processOrForget(observation)
      }
    } finally {
      // At once, so that nothing is noted in between that nobody works on.
      this.#working = null
    }
  }

  async #processOrForget(observation: Noted | Part): Promise<void> {
    try {
      await this.#process(observation)
    } catch (error) {
      this.#dependencies.states.forget(observation.deployment, observation.kind)
      this.#dependencies.onError(error)
    }
  }

  async #process(observation: Noted | Part): Promise<void> {
    const { deployment, kind, id, result } = observation
    const { store, states, others } = this.#dependencies
    if (id === null && !Array.isArray(result)) return
    const wasListed = await store.wasListed(deployment, kind)
    const rows = (id === null && Array.isArray(result) ? result : [result]).flatMap((row: unknown) => {
      const recordId = isPlainObject(row) ? (id ?? row['id']) : undefined
      return isPlainObject(row) && typeof recordId === 'string' ? [{ id: recordId, name: nameOf(row), row }] : []
    })
    const news = others.isShared ? await this.#newRows(observation, rows) : rows
    await this.#inSlices(observation, news, (row) => this.#seen(observation, row, wasListed))
    if (id !== null && isWatchedKind(kind))
      this.#goneAlerts.watchedRecordSeen(deployment, kind, id, observation.endedAt)
    // A list with rows that cannot be told apart may have any record.
    const isWhole = id === null && Array.isArray(result) && result.length === rows.length
    if (!isWhole || isPart(observation) || this.#isStopped) return
    const present = new Set(rows.map((row) => row.id))
    const missing = [...(await states.known(deployment, kind)).values()].flatMap((knownRecord) =>
      knownRecord.goneAt === null && !present.has(knownRecord.id) ? [knownRecord.id] : [],
    )
    await this.#inSlices(observation, missing, (id) => this.#missing(observation, id))
    if (isWatchedKind(kind)) this.#goneAlerts.watchedRecordSeen(deployment, kind, null, observation.endedAt)
    if (!wasListed && !this.#isStopped) await store.write(store.noteListed(deployment, kind))
  }

  /** Between consoles, a turn takes several round trips: rows that show nothing new are left out before. */
  async #newRows(place: DeploymentLocation & { kind: string }, rows: readonly SeenRow[]): Promise<SeenRow[]> {
    const { states, versions, provisional } = this.#dependencies
    const { deployment, kind } = place
    const known = await states.inTurn(place, kind, () => states.known(deployment, kind))
    const open = await provisional.records(place, kind)
    const news: SeenRow[] = []
    for (const record of rows) {
      if (this.#isStopped) break
      const old = known.get(record.id)
      if (!isKnownVersion(old, versions.of(kind, record.row)) || open.has(record.id)) news.push(record)
      if (this.#isSliceOver()) await this.#pause(rest)
    }
    return news
  }

  /** Each slice is stored before other work on the same records, in the same order as in memory. */
  async #inSlices<T>(
    place: DeploymentLocation & { kind: string },
    items: readonly T[],
    work: (item: T) => Promise<Statement[]>,
  ): Promise<void> {
    let at = 0
    while (at < items.length && !this.#isStopped) {
      await this.#dependencies.states.inTurn(place, place.kind, async () => {
        const statements: Statement[] = []
        do {
          statements.push(...(await work(items[at]!))) // within the list
          at += 1
        } while (at < items.length && statements.length < batchSize && !this.#isSliceOver())
        if (statements.length > 0) await this.#dependencies.store.write(...statements)
      })
      if (this.#isSliceOver()) await this.#pause(rest)
    }
  }

  async #seen(observation: Noted | Part, record: SeenRow, wasListed: boolean): Promise<Statement[]> {
    const { deployment, kind } = observation
    const { states, versions, writes, others, provisional } = this.#dependencies
    if (writes.hasChanged(observation, record.id)) return []
    const old = (await states.known(deployment, kind)).get(record.id)
    if (await others.mayMiss(observation, record.id, old, 'all')) return []
    if (await this.#waits(observation, record, old)) return []
    const version = versions.of(kind, record.row)
    if (isKnownVersion(old, version)) return (await provisional.take(observation, kind, record.id)).statements
    return this.#changed(observation, record, version, old, wasListed)
  }

  /** Comes back to a row once the writes have ended that may explain it. */
  async #waits(observation: Noted | Part, { id, row }: SeenRow, old: KnownRecord | undefined): Promise<boolean> {
    const { writes, others } = this.#dependencies
    const { kind } = observation
    const open = [...writes.leftOf(observation, kind, id)]
    // Open creations that began before the read have ended when it is looked at again.
    if (!old) open.push(...writes.leftOf(observation, kind, null))
    if (!old && !isPart(observation)) {
      const elsewhere = await others.pending(observation, kind, null, 'others')
      if (elsewhere.length > 0) open.push(others.ended(elsewhere))
      open.push(...writes.creationsOf(observation, kind))
    }
    if (open.length === 0) return false
    const key = `${observation.deployment} ${kind} ${id} later`
    void Promise.all(open).then(() => this.#add(key, { ...observation, id, result: row, isPart: true }))
    return true
  }

  async #missing(observation: Observation, id: string): Promise<Statement[]> {
    const { states, writes, others } = this.#dependencies
    const { deployment, kind } = observation
    const old = (await states.known(deployment, kind)).get(id)
    if (!old || old.goneAt !== null || writes.hasChanged(observation, id)) return []
    const isExplained =
      writes.leftOf(observation, kind, id).length > 0 || (await others.mayMiss(observation, id, old, 'all'))
    return isExplained ? [] : this.#gone(observation, old)
  }

  async #changed(
    observation: Noted,
    record: SeenRow,
    version: Version,
    old: KnownRecord | undefined,
    wasListed: boolean,
  ): Promise<Statement[]> {
    const { deployment, kind } = observation
    const { store, states, provisional } = this.#dependencies
    // When it was read, and not now: what happens between the two comes after it.
    const at = momentOf(observation)
    const { id, name } = record
    const put = () => states.put(deployment, kind, { id, name }, version, at)
    // Without a list that did not have it, a record that was never seen may be older than this history.
    if (!old && !wasListed) return put()
    const fields = await states.changedFields(old?.hash, version)
    const { seq, statements } = await provisional.take(observation, kind, id)
    const own =
      seq ??
      (await store.incomplete(deployment, kind, id))?.id ??
      (old ? undefined : await this.#creationOf(observation, name))
    if (own !== undefined) return [...(await put()), ...statements, store.complete(own, id, version.hash, fields)]
    const elsewhere = await store.madeElsewhere(observation, kind, id, version.hash)
    const isNew = !old || old.goneAt !== null
    const change: NewChange = {
      ...locationOf(observation),
      kind,
      recordId: id,
      name,
      action: isNew ? 'created' : 'updated',
      cause: elsewhere?.cause ?? 'outside',
      connectionId: elsewhere?.connectionId ?? observation.connectionId,
      actor: elsewhere?.actor,
      run: elsewhere?.run,
      at: elsewhere?.at ?? at,
      outcome: elsewhere ? 'done' : 'found',
      before: isNew ? undefined : old.hash,
      after: version.hash,
      fields,
    }
    return [...(await put()), ...statements, store.insert(change)]
  }

  /** The creation that a new record comes from, if its response was lost. */
  #creationOf({ deployment, kind }: Observation, name: string): Promise<number | undefined> {
    const since = new Date(currentTime() - creationsShownWithin).toISOString()
    return this.#dependencies.store.incompleteCreation(deployment, kind, name, since)
  }

  async #gone(observation: Observation, old: KnownRecord): Promise<Statement[]> {
    const { deployment, kind } = observation
    const { store, states } = this.#dependencies
    const at = (await this.#goneBefore(observation, old.id)) ?? currentIsoTime()
    const elsewhere =
      (await store.madeElsewhere(observation, kind, old.id, null)) ??
      (await this.#goneWithWatchedRecord(observation, old, at))
    const change: NewChange = {
      ...locationOf(observation),
      kind,
      recordId: old.id,
      name: old.name,
      action: 'deleted',
      cause: elsewhere?.cause ?? 'outside',
      connectionId: elsewhere?.connectionId ?? observation.connectionId,
      actor: elsewhere?.actor,
      run: elsewhere?.run,
      at: elsewhere?.at ?? at,
      outcome: elsewhere ? 'done' : 'found',
      before: old.hash,
    }
    return [...(await states.remove(deployment, kind, old.id, at)), store.insert(change)]
  }

  /** Deployments delete the alerts of a tile or saved search with it: the change of that one is the cause. */
  async #goneWithWatchedRecord(observation: Observation, old: KnownRecord, at: string) {
    if (observation.kind !== 'alerts') return undefined
    const { store, versions } = this.#dependencies
    const alert = await versions.readIfSound(old.hash)
    if (!isPlainObject(alert)) return undefined
    const owners = watchedRecordsOf(alert)
    for (const { kind, id } of owners) {
      const change = await store.newestHere(observation, kind, id)
      if (change && (change.action === 'deleted' || !(await this.#hasTile(change.after, alert['tileId']))))
        return change
    }
    const { deployment, startedAt } = observation
    for (const owner of owners) this.#goneAlerts.note({ deployment, owner, startedAt, at })
    return undefined
  }

  /** The time of an owner's deletion, if its alerts were already missing then. A restore to an earlier time brings back both. */
  async #goneBefore(observation: Observation, id: string): Promise<string | undefined> {
    const { deployment, kind } = observation
    if (!isWatchedKind(kind)) return undefined
    const at = this.#goneAlerts.firstSince(deployment, { kind, id })
    if (at === undefined) return undefined
    const change = await this.#dependencies.store.newestHere(observation, kind, id)
    return change && change.at >= at ? undefined : at
  }

  async #hasTile(dashboard: string | undefined, tileId: unknown): Promise<boolean> {
    const stored = dashboard === undefined ? undefined : await this.#dependencies.versions.readIfSound(dashboard)
    const tiles = isPlainObject(stored) ? stored['tiles'] : undefined
    return !Array.isArray(tiles) || tiles.some((tile: unknown) => isPlainObject(tile) && tile['id'] === tileId)
  }

  #isSliceOver(): boolean {
    return performance.now() - this.#pausedAt >= slice
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#waiters > 0) await nextTurn()
    else {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, milliseconds)
        this.#wake = () => {
          clearTimeout(timer)
          done()
        }
      })
    }
    this.#pausedAt = performance.now()
  }
}

function isKnownVersion(old: KnownRecord | undefined, { hash }: Version): boolean {
  return old?.hash === hash && old.goneAt === null
}

function isPart(observation: Noted | Part): boolean {
  return 'isPart' in observation
}

function locationOf({ deployment, origin }: DeploymentLocation): DeploymentLocation {
  return { deployment, origin }
}

function nameOf(row: JsonObject): string {
  return typeof row['name'] === 'string' ? row['name'] : ''
}

/** When the response of a read was there, in ISO 8601. */
function momentOf({ endedAt }: Pick<Noted, 'endedAt'>): string {
  return new Date(currentTime() - (performance.now() - endedAt)).toISOString()
}

/**
 * Notes what reads of records show: versions that are new, and changes that this console did not make. In the background, in
 * slices, so that neither the response nor other requests wait.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isObject, type JsonObject } from '#domain/json/json.ts'
import type { Statement } from '../database/database.ts'
import type { ChangeStore, KnownRecord, NewChange, Place } from './changeStore.ts'
import type { RecordStates } from './recordStates.ts'
import type { Version, Versions } from './versions.ts'
import type { WritesUnderWay } from './writesUnderWay.ts'

/** Milliseconds of work without a pause. */
const slice = 8
/** Statements of one transaction. */
const batchSize = 200

export interface Observation extends Place {
  connectionId: string
  kind: string
  /** Null for a whole list. */
  id: string | null
  result: unknown
  /** By `performance.now()`, before the request. */
  startedAt: number
}

interface Parts {
  store: ChangeStore
  states: RecordStates
  versions: Versions
  writes: WritesUnderWay
  onError: (error: unknown) => void
}

export class Observer {
  /** The newest observation of each record and list. */
  private readonly waiting = new Map<string, Observation>()
  private working: Promise<void> | null = null
  private pausedAt = 0

  constructor(private readonly parts: Parts) {}

  note(observation: Observation): void {
    const { deployment, kind, id } = observation
    this.waiting.set(`${deployment} ${kind} ${id ?? '*'}`, observation)
    this.working ??= this.work().finally(() => (this.working = null))
  }

  /** Returns once everything that was noted is stored. */
  async settled(): Promise<void> {
    while (this.working) await this.working
  }

  private async work(): Promise<void> {
    await nextTurn()
    this.pausedAt = performance.now()
    for (const [key, observation] of this.waiting) {
      this.waiting.delete(key)
      try {
        await this.process(observation)
      } catch (error) {
        this.parts.states.forget(observation.deployment, observation.kind)
        this.parts.onError(error)
      }
    }
  }

  private async process(observation: Observation): Promise<void> {
    const { deployment, kind, id, result } = observation
    const { store, states, versions, writes } = this.parts
    if (id === null && !Array.isArray(result)) return
    const known = await states.known(deployment, kind)
    const wasListed = await store.wasListed(deployment, kind)
    const rows = id === null ? (Array.isArray(result) ? result : []) : [result]
    const present = new Set<string>()
    let statements: Statement[] = []
    for (const row of rows) {
      if (!isObject(row)) continue
      const recordId = id ?? (typeof row['id'] === 'string' ? row['id'] : '')
      if (recordId === '') continue
      present.add(recordId)
      if (writes.mayHaveChanged(observation, recordId)) continue
      const version = versions.of(kind, row)
      const old = known.get(recordId)
      if (old && old.hash === version.hash && old.goneAt === null) {
        writes.takeProvisional(observation, recordId)
        continue
      }
      statements.push(...(await this.changed(observation, { ...named(row), id: recordId }, version, old, wasListed)))
      if (statements.length >= batchSize) {
        await store.write(...statements)
        statements = []
      }
      await this.pause()
    }
    if (id === null) {
      for (const old of known.values()) {
        if (old.goneAt !== null || present.has(old.id) || writes.mayHaveChanged(observation, old.id)) continue
        statements.push(...(await this.gone(observation, old)))
      }
      if (!wasListed) statements.push(store.noteListed(deployment, kind))
    }
    if (statements.length > 0) await store.write(...statements)
  }

  private async changed(
    observation: Observation,
    record: JsonObject & { id: string; name: string },
    version: Version,
    old: KnownRecord | undefined,
    wasListed: boolean,
  ): Promise<Statement[]> {
    const { deployment, kind } = observation
    const { store, states, writes } = this.parts
    const at = new Date().toISOString()
    const { id, name } = record
    const put = () => states.put(deployment, kind, { id, name }, version, at)
    // Without a list that did not have it, a record that was never seen may be older than this history.
    if (!old && !wasListed) return put()
    const fields = await states.changedFields(old?.hash, record)
    const own = writes.takeProvisional(observation, id) ?? (await store.incomplete(deployment, kind, id))?.id
    if (own !== undefined) return [...(await put()), store.complete(own, version.hash, fields)]
    const elsewhere = await store.madeElsewhere(observation, kind, id, version.hash)
    const isNew = !old || old.goneAt !== null
    const change: NewChange = {
      ...placeOf(observation),
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
    return [...(await put()), store.insert(change)]
  }

  private async gone(observation: Observation, old: KnownRecord): Promise<Statement[]> {
    const { deployment, kind } = observation
    const { store, states } = this.parts
    const at = new Date().toISOString()
    const elsewhere =
      (await store.madeElsewhere(observation, kind, old.id, null)) ?? (await this.goneWithOwner(observation, old))
    const change: NewChange = {
      ...placeOf(observation),
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
  private async goneWithOwner(observation: Observation, old: KnownRecord) {
    if (observation.kind !== 'alerts') return undefined
    const { store, versions } = this.parts
    const alert = await versions.read(old.hash)
    if (!isObject(alert)) return undefined
    for (const [kind, id] of [
      ['dashboards', alert['dashboardId']],
      ['savedSearches', alert['savedSearchId']],
    ] as const) {
      if (typeof id !== 'string') continue
      const change = await store.newestHere(observation, kind, id)
      if (change && (change.action === 'deleted' || !(await this.hasTile(change.after, alert['tileId'])))) return change
    }
    return undefined
  }

  private async hasTile(dashboard: string | undefined, tileId: unknown): Promise<boolean> {
    const stored = dashboard === undefined ? undefined : await this.parts.versions.read(dashboard)
    const tiles = isObject(stored) ? stored['tiles'] : undefined
    return !Array.isArray(tiles) || tiles.some((tile: unknown) => isObject(tile) && tile['id'] === tileId)
  }

  private async pause(): Promise<void> {
    if (performance.now() - this.pausedAt < slice) return
    await nextTurn()
    this.pausedAt = performance.now()
  }
}

function placeOf({ deployment, origin }: Place): Place {
  return { deployment, origin }
}

function named(row: JsonObject): JsonObject & { name: string } {
  return { ...row, name: typeof row['name'] === 'string' ? row['name'] : '' }
}

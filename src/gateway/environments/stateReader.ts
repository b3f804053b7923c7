/**
 * Reads the states of connections and keeps the last one of each. A few connections are read at the same time, in the order in
 * which they are asked for; one that takes long no longer counts, so that a slow or dead one delays no other.
 */
import {
  connectionState,
  listedAlertFields,
  type ConnectionState,
  type ListedAlert,
} from '#contract/console/environments.ts'
import { isUnread } from '#domain/records/inventory.ts'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { listRecords } from '#node/upstream/readInventory.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { z } from 'zod'
import type { Connections } from '../connections/connections.ts'
import { problemOf, type Inventories, type KnownInventory } from '../inventories/inventories.ts'
import type { LastReadings } from './lastReadings.ts'
import type { VersionFeed } from './longPoll.ts'
import { ConcurrencyLimit } from '#node/concurrency/concurrencyLimits.ts'

/** Connections that are read at the same time: those without a known state, and those whose last state is shown meanwhile. */
const places = 6
const placesInBackground = 3
/** Milliseconds after which a reading leaves its place to the next one. */
const slow = 1_000
/** Milliseconds after which what was read is no longer shown while it is read again. */
const shownFor = 60 * 60_000

/** The ages in milliseconds from which something is read again. Zero: always. */
export interface Ages {
  inventory: number
  firing: number
}

interface Known {
  state: ConnectionState
  /** The connection and the writes through it when the reading began. */
  revision: string
  writes: number
  /** Equal for readings that found the same records. */
  content: string
  /** By `performance.now()`. */
  inventoryAt: number
  firingAt: number
  version: number
}

const storedState = z.object({ state: connectionState, content: z.string() })

export interface ReaderDependencies {
  connections: Connections
  deployments: Deployments
  inventories: Inventories
  versionFeed: VersionFeed
  lastReadings: LastReadings
  onError: (error: unknown) => void
}

export class StateReader {
  readonly #known = new Map<string, Known>()
  readonly #reading = new Map<string, Promise<void>>()
  readonly #unknown = new ConcurrencyLimit(places, slow)
  readonly #shown = new ConcurrencyLimit(placesInBackground, slow)

  /** Called with the records of each connection that was read. */
  onInventory: (known: KnownInventory) => void = () => {}

  readonly #dependencies: ReaderDependencies

  constructor(dependencies: ReaderDependencies) {
    this.#dependencies = dependencies
  }

  /** Takes over the states that were read before the start and are not too old. */
  async restore(): Promise<void> {
    const { connections, lastReadings, versionFeed } = this.#dependencies
    for (const { connectionId, revision, content } of await lastReadings.all('state', storedState)) {
      // How quickly it answered then says nothing about now.
      const { latency: _, ...state } = content.state
      const age = currentTime() - Date.parse(state.readAt)
      // A time that lies ahead tells nothing about the age.
      const isShown = state.problem === undefined && age >= 0 && age < shownFor
      if (!isShown || revision !== connections.revisionOf(connectionId) || this.#known.has(connectionId)) continue
      const at = performance.now() - age
      const times = { inventoryAt: at, firingAt: at, version: versionFeed.note() }
      const restored = { ...state, isRestored: true }
      this.#known.set(connectionId, { state: restored, revision, writes: 0, content: content.content, ...times })
    }
  }

  /** The last state and its version; undefined if it is old, or of another address or key. */
  stateOf(connectionId: string): { state: ConnectionState; version: number } | undefined {
    return this.#known.get(connectionId)
  }

  isReading(connectionId: string): boolean {
    return this.#reading.has(connectionId)
  }

  /** The state of a connection that is not being read. */
  settledState(connectionId: string): ConnectionState | undefined {
    return this.isReading(connectionId) ? undefined : this.stateOf(connectionId)?.state
  }

  /** Changes with the records of a connection. */
  contentOf(connectionId: string): string {
    return String(this.#known.get(connectionId)?.content)
  }

  /** Forgets old states, and those of connections that were deleted or changed. */
  forgetOthers(): void {
    for (const [id, { revision, inventoryAt }] of this.#known) {
      const isOld = performance.now() - inventoryAt > shownFor
      if (isOld || revision !== this.#dependencies.connections.revisionOf(id)) this.#known.delete(id)
    }
  }

  /** Begins to read what is older than asked for, unless it is being read. */
  begin(connectionId: string, ages: Ages): void {
    const before = this.#reading.get(connectionId)
    const isFresh = ages.inventory === 0
    if (before && !isFresh) return
    const work = this.#workFor(connectionId, ages)
    if (!work) return
    const within = this.#known.has(connectionId) && !isFresh ? this.#shown : this.#unknown
    // A reading that is under way may have begun before a change.
    const done = (before ?? Promise.resolve())
      .then(() => within.run(work))
      .finally(() => {
        if (this.#reading.get(connectionId) !== done) return
        this.#reading.delete(connectionId)
        this.#dependencies.versionFeed.wake()
      })
    this.#reading.set(connectionId, done)
  }

  #workFor(connectionId: string, ages: Ages): (() => Promise<void>) | undefined {
    const { deployments } = this.#dependencies
    const { target, problem } = this.#opened(connectionId)
    if (!target) {
      const revision = this.#dependencies.connections.revisionOf(connectionId) ?? ''
      return async () => this.#keep({ revision, writes: 0, state: unreadable(connectionId, problem) })
    }
    const known = this.#known.get(connectionId)
    const now = performance.now()
    const isOutdated =
      !known ||
      // Its records are not in memory.
      known.state.isRestored === true ||
      known.writes !== deployments.writesTo(target) ||
      now - known.inventoryAt >= ages.inventory ||
      (known.state.problem !== undefined && now - known.inventoryAt >= ages.firing)
    if (isOutdated) return () => this.#readInventory(target, ages.inventory)
    if (now - known.firingAt >= ages.firing) return () => this.#readFiring(target, known)
    return undefined
  }

  /** The target of a connection, or why it cannot be used. */
  #opened(connectionId: string): { target?: UpstreamTarget; problem: string } {
    try {
      return { target: this.#dependencies.connections.open(connectionId), problem: '' }
    } catch (error) {
      return { problem: this.#reasonOf(error) }
    }
  }

  async #readInventory(target: UpstreamTarget, maxAge: number): Promise<void> {
    const { deployments, inventories } = this.#dependencies
    const { connectionId } = target
    const writes = deployments.writesTo(target)
    // Where a state is shown already, reads that a person waits for come first.
    const priority = this.#known.has(connectionId) && maxAge > 0 ? 'background' : 'visible'
    try {
      const known = await inventories.read(connectionId, { maxAge, priority })
      this.onInventory(known)
      this.#keep({
        revision: target.revision,
        writes,
        content: known.content,
        state: stateOf(deployments, known),
      })
    } catch (error) {
      const state = unreadable(connectionId, this.#reasonOf(error))
      this.#keep({ revision: target.revision, writes, state })
    }
  }

  #reasonOf(error: unknown): string {
    if (error instanceof ApiFailure) return error.message
    this.#dependencies.onError(error)
    return 'The connection could not be read.'
  }

  #keep(read: Pick<Known, 'state' | 'revision' | 'writes'> & Partial<Pick<Known, 'content'>>): void {
    const now = performance.now()
    const version = this.#dependencies.versionFeed.note()
    const content = read.content ?? read.state.readAt
    this.#set({ ...read, content, inventoryAt: now, firingAt: now, version })
  }

  #set(known: Known): void {
    const { state, revision, content } = known
    const { connectionId } = state
    this.#known.set(connectionId, known)
    this.#dependencies.lastReadings.note(
      { part: 'state', key: connectionId, connectionId, revision },
      { state, content },
    )
  }

  /** Only the alerts: they change more often than the rest, and are one request. */
  async #readFiring(target: UpstreamTarget, known: Known): Promise<void> {
    const { deployments, versionFeed } = this.#dependencies
    const { firing: _, firingUnknown: __, ...rest } = known.state
    const read = await listRecords(deployments, target, 'alerts', { priority: 'background' }).then(
      (alerts) => ({ firing: firingOf(alerts), counts: { ...rest.counts, alerts: alerts.length } }),
      (error: unknown) => ({ firingUnknown: this.#reasonOf(error) }),
    )
    const state = { ...rest, ...read, budget: budgetOf(deployments, target) }
    this.#set({ ...known, state, firingAt: performance.now(), version: versionFeed.note() })
  }
}

function stateOf(deployments: Deployments, known: KnownInventory): ConnectionState {
  const { inventory, latency, readAt, target } = known
  const problem = problemOf(known)
  const counts = recordKinds.flatMap((kind) => {
    const records = inventory.records[kind]
    return isUnread(records) ? [] : [[kind, records.length] as const]
  })
  const { alerts } = inventory.records
  return {
    connectionId: target.connectionId,
    readAt,
    ...(problem !== undefined && { problem }),
    ...(problem === undefined && latency !== undefined && { latency }),
    budget: budgetOf(deployments, target),
    counts: Object.fromEntries(counts),
    ...(isUnread(alerts) ? { firingUnknown: 'The alerts could not be read.' } : { firing: firingOf(alerts) }),
  }
}

function unreadable(connectionId: string, problem: string): ConnectionState {
  return { connectionId, readAt: currentIsoTime(), problem, budget: { limit: null, remaining: null }, counts: {} }
}

function budgetOf(deployments: Deployments, target: UpstreamTarget): ConnectionState['budget'] {
  const { limit, remaining } = deployments.budgetOf(target).state()
  const isLimited = Number.isFinite(limit)
  return { limit: isLimited ? limit : null, remaining: isLimited ? remaining : null }
}

function firingOf(alerts: readonly JsonObject[]): ListedAlert[] {
  return alerts
    .filter(({ state }) => state === 'ALERT')
    .map((alert) => {
      const fields = listedAlertFields.flatMap((name) => (alert[name] === undefined ? [] : [[name, alert[name]]]))
      // The rows of a list of alerts, as the page would read them itself.
      return Object.fromEntries(fields) as ListedAlert
    })
}

/**
 * The state of each record: its current version, in memory and on the disk. Consoles on one database take turns, and a
 * turn begins with what the others have stored.
 */
import { diff } from '#domain/json/diff.ts'
import type { Statement } from '../database/database.ts'
import type { RecordLocks } from '#node/concurrency/concurrencyLimits.ts'
import { readJson } from '#node/upstream/untrustedJson.ts'
import type { DeploymentLocation } from '#contract/console/deployments.ts'
import type { KnownRecord, RecordStateStore } from './recordStateStore.ts'
import type { Version, Versions } from './versions.ts'

/** Lists of records that are kept in memory, one for each kind of each deployment: those of some hundred deployments. */
const maxKinds = 4_000

interface Held {
  records: Map<string, KnownRecord>
  /** States of other consoles up to this number are in memory. */
  upTo: number
}

export class RecordStates {
  readonly #kinds = new Map<string, Promise<Held>>()
  readonly #store: RecordStateStore
  readonly #versions: Versions
  readonly #locks: Pick<RecordLocks, 'hold'>

  constructor(store: RecordStateStore, versions: Versions, locks: Pick<RecordLocks, 'hold'>) {
    this.#store = store
    this.#versions = versions
    this.#locks = locks
  }

  /**
   * Does a task while nothing else changes what is known of the records of a kind, in memory or on the disk, on any console.
   * @throws like `SharedLocks.hold`
   */
  inTurn<T>({ deployment }: DeploymentLocation, kind: string, task: () => Promise<T>): Promise<T> {
    return this.#locks.hold(`history ${deployment} ${kind}`, async () => {
      if (this.#store.isShared) await this.#follow(deployment, kind)
      return task()
    })
  }

  async known(deployment: string, kind: string): Promise<Map<string, KnownRecord>> {
    return (await this.#held(deployment, kind)).records
  }

  #held(deployment: string, kind: string): Promise<Held> {
    const key = `${deployment} ${kind}`
    const held = this.#kinds.get(key)
    if (held) return held
    const [oldest] = this.#kinds.keys()
    if (this.#kinds.size >= maxKinds && oldest !== undefined) this.#kinds.delete(oldest)
    const reading = this.#read(deployment, kind)
    this.#kinds.set(key, reading)
    reading.catch(() => this.#kinds.delete(key))
    return reading
  }

  async #read(deployment: string, kind: string): Promise<Held> {
    // States that are stored while these are read are read again.
    const upTo = this.#store.isShared ? await this.#store.newestState() : 0
    return { records: await this.#store.known(deployment, kind), upTo }
  }

  async #follow(deployment: string, kind: string): Promise<void> {
    const held = await this.#held(deployment, kind)
    const upTo = await this.#store.newestState()
    if (upTo === held.upTo) return
    for (const record of await this.#store.states(deployment, kind, held.upTo)) held.records.set(record.id, record)
    held.upTo = upTo
  }

  /** Forgets what is in memory, after a statement could not be stored. */
  forget(deployment: string, kind: string): void {
    this.#kinds.delete(`${deployment} ${kind}`)
  }

  /** Forgets records that were gone before a time. */
  forgetGone(before: string): void {
    const forgetIn = ({ records }: Held) => {
      for (const { id, goneAt } of records.values()) if (goneAt !== null && goneAt < before) records.delete(id)
    }
    // A list that cannot be read has no records.
    for (const reading of this.#kinds.values()) reading.then(forgetIn, () => {})
  }

  /** The statements that make a version the current one of a record. Memory has it at once. */
  async put(
    deployment: string,
    kind: string,
    record: { id: string; name: string },
    version: Version,
    at: string,
  ): Promise<Statement[]> {
    const known = await this.known(deployment, kind)
    const old = known.get(record.id)
    // Another console may remove the keyframe of a record that is gone.
    const base = this.#store.isShared && old?.goneAt !== null ? undefined : old?.keyframe
    const { statement, keyframe } = await this.#versions.store(version, base)
    const next = { ...record, hash: version.hash, keyframe, goneAt: null, changed: null }
    known.set(record.id, next)
    return [statement, ...this.#store.put(deployment, kind, next, at)]
  }

  async remove(deployment: string, kind: string, id: string, at: string): Promise<Statement[]> {
    const known = await this.known(deployment, kind)
    const record = known.get(id)
    if (!record) return []
    const next = { ...record, goneAt: at, changed: null }
    known.set(id, next)
    return this.#store.put(deployment, kind, next, at)
  }

  /** The number of fields that differ between a stored version and a new one, as people see them. */
  async changedFields(before: string | undefined, after: Version): Promise<number> {
    const known = before === undefined ? {} : ((await this.#versions.readIfSound(before)) ?? {})
    return diff(known, readJson(after.text)).filter(({ path }) => path[0] !== 'updatedAt').length
  }
}

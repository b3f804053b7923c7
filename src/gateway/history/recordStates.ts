/** What is known of each record: its current version, in memory and on the disk. */
import { diff } from '#domain/json/diff.ts'
import type { Statement } from '../database/database.ts'
import type { ChangeStore, KnownRecord } from './changeStore.ts'
import type { Version, Versions } from './versions.ts'

/** Deployments and kinds whose records are kept in memory. */
const maxKinds = 200

export class RecordStates {
  private readonly kinds = new Map<string, Promise<Map<string, KnownRecord>>>()

  constructor(
    private readonly store: ChangeStore,
    private readonly versions: Versions,
  ) {}

  known(deployment: string, kind: string): Promise<Map<string, KnownRecord>> {
    const key = `${deployment} ${kind}`
    const held = this.kinds.get(key)
    if (held) return held
    const [oldest] = this.kinds.keys()
    if (this.kinds.size >= maxKinds && oldest !== undefined) this.kinds.delete(oldest)
    const reading = this.store.known(deployment, kind)
    this.kinds.set(key, reading)
    reading.catch(() => this.kinds.delete(key))
    return reading
  }

  /** Forgets what is in memory, after a statement could not be stored. */
  forget(deployment: string, kind: string): void {
    this.kinds.delete(`${deployment} ${kind}`)
  }

  /** Forgets records that were gone before a time. */
  forgetGone(before: string): void {
    const forgetIn = (known: Map<string, KnownRecord>) => {
      for (const { id, goneAt } of known.values()) if (goneAt !== null && goneAt < before) known.delete(id)
    }
    // A list that cannot be read has no records.
    for (const reading of this.kinds.values()) reading.then(forgetIn, () => {})
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
    const { statement, keyframe } = await this.versions.store(version, known.get(record.id)?.keyframe)
    const next = { ...record, hash: version.hash, keyframe, goneAt: null }
    known.set(record.id, next)
    return [statement, this.store.put(deployment, kind, next, at)]
  }

  async remove(deployment: string, kind: string, id: string, at: string): Promise<Statement[]> {
    const known = await this.known(deployment, kind)
    const record = known.get(id)
    if (!record) return []
    const next = { ...record, goneAt: at }
    known.set(id, next)
    return [this.store.put(deployment, kind, next, at)]
  }

  /** The number of fields that differ between a stored version and a new one. */
  async changedFields(before: string | undefined, after: unknown): Promise<number> {
    return diff(before === undefined ? {} : ((await this.versions.read(before)) ?? {}), after).length
  }
}

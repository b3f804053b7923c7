/** Results of comparing two connections, kept until one of them or what people have matched changes. */
import { z } from 'zod'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { TaskQueue } from '#node/concurrency/concurrencyLimits.ts'
import type { Connections } from '../connections/connections.ts'
import type { Comparisons, IsSeen } from './comparisons.ts'
import type { LastReadings, ReadingPart } from './lastReadings.ts'
import type { VersionFeed } from './longPoll.ts'
import type { StateReader } from './stateReader.ts'

/** Two connections, and who compares them. */
export interface Pair {
  baselineId: string
  otherId: string
  isSeen: IsSeen
}

export interface PairDependencies {
  comparisons: Comparisons
  reader: StateReader
  connections: Pick<Connections, 'revisionOf'>
  lastReadings: LastReadings
  versionFeed: VersionFeed
  onError: (error: unknown) => void
}

interface PairRule<T> {
  /** The name under which results are stored. */
  part: ReadingPart
  result: z.ZodType<T>
  compare: (pair: Pair) => Promise<T>
  weigh: (result: T) => number
  /** The weight of all results that are kept. */
  maxWeight: number
}

interface Kept<T> {
  /** The content of both sides, and what people have matched. */
  content: string
  result: T | undefined
  version: number
}

export class PairResults<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #running = new Set<string>()
  /** One after the other: each of them is work for the processor alone. */
  readonly #queue = new TaskQueue()
  #weight = 0
  readonly #dependencies: PairDependencies
  readonly #rule: PairRule<T>

  constructor(dependencies: PairDependencies, rule: PairRule<T>) {
    this.#dependencies = dependencies
    this.#rule = rule
  }

  /** Takes over what was compared before the start, where both connections are shown as they were read then. */
  async restore(): Promise<void> {
    const { lastReadings, reader, versionFeed } = this.#dependencies
    const { part, result } = this.#rule
    const schema = z.object({ content: z.string(), result })
    for (const reading of await lastReadings.all(part, schema)) {
      const { key, connectionId: otherId, baselineId = '', revision, content: kept } = reading
      const isShown = reader.stateOf(baselineId) !== undefined && reader.stateOf(otherId) !== undefined
      if (!isShown || revision !== this.#revisionOf({ baselineId, otherId })) lastReadings.forget(reading)
      else if (!this.#kept.has(key)) this.#keep(key, { ...kept, version: versionFeed.note() })
    }
  }

  /**
   * The last result of a pair, also of older records, and its version; undefined until it is known.
   * @param key the same for callers who see the same connections: what people have matched on others is not for everybody
   */
  resultOf(key: string): { result: T; version: number } | undefined {
    const { result, version } = this.#kept.get(key) ?? {}
    return result !== undefined && version !== undefined ? { result, version } : undefined
  }

  isRunning(key: string): boolean {
    return this.#running.has(key)
  }

  /** Compares the records that were read, unless that is done or under way. */
  begin(key: string, pair: Pair): void {
    const { reader, comparisons } = this.#dependencies
    const records = [reader.contentOf(pair.baselineId), reader.contentOf(pair.otherId)]
    const content = [...records, comparisons.matchRevision].join(' ')
    if (this.#running.has(key) || this.#kept.get(key)?.content === content) return
    this.#running.add(key)
    const revision = this.#revisionOf(pair)
    void this.#queue
      .run(() => this.#compare(pair))
      .then((result) => {
        this.#keep(key, { content, result, version: this.#dependencies.versionFeed.note() })
        if (result !== undefined) this.#store(key, pair, { revision, content, result })
      })
      .finally(() => {
        this.#running.delete(key)
        this.#dependencies.versionFeed.wake()
      })
  }

  async #compare(pair: Pair): Promise<T | undefined> {
    try {
      return await this.#rule.compare(pair)
    } catch (error) {
      // If one of the connections is gone, or its key cannot be decrypted, its own line says so.
      if (!(error instanceof ApiFailure)) this.#dependencies.onError(error)
      return undefined
    }
  }

  #store(
    key: string,
    { baselineId, otherId }: Pair,
    { revision, ...kept }: Pick<Kept<T>, 'content' | 'result'> & { revision: string },
  ): void {
    const reading = { part: this.#rule.part, key, connectionId: otherId, baselineId, revision }
    this.#dependencies.lastReadings.note(reading, kept)
  }

  #revisionOf({ baselineId, otherId }: Omit<Pair, 'isSeen'>): string {
    const { connections } = this.#dependencies
    return `${connections.revisionOf(baselineId)} ${connections.revisionOf(otherId)}`
  }

  #keep(key: string, kept: Kept<T>): void {
    this.#forget(key)
    this.#kept.set(key, kept)
    this.#weight += this.#weightOf(kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#rule.maxWeight || oldest === key) break
      this.#forget(oldest)
      this.#dependencies.lastReadings.forget({ part: this.#rule.part, key: oldest })
    }
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    this.#kept.delete(key)
    this.#weight -= this.#weightOf(kept)
  }

  #weightOf({ result }: Kept<T>): number {
    return result === undefined ? 1 : this.#rule.weigh(result)
  }
}

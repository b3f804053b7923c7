/** How many records of connections differ from those of a baseline, where comparing them is little work. */
import type { ConnectionState } from '#contract/environments.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { Turns } from '#node/turns.ts'
import type { Comparisons, IsSeen } from './comparisons.ts'
import type { News } from './news.ts'

/** Records of a connection up to which it is compared without being asked for: both sides are in memory by then. */
const maxRecords = 300
/** Comparisons that are remembered. */
const maxKept = 5_000

type Drift = NonNullable<ConnectionState['drift']>

/** Two connections, and who compares them. */
interface Pair {
  baseline: ConnectionState
  other: ConnectionState
  isSeen: IsSeen
}

export interface DriftParts {
  comparisons: Comparisons
  news: News
  onError: (error: unknown) => void
}

interface Kept {
  /** The versions of both sides. */
  of: string
  drift: Drift | undefined
  version: number
}

/** Whether a comparison with what was read is little work. */
export function isComparable(state: ConnectionState | undefined): boolean {
  if (!state || state.problem !== undefined) return false
  return Object.values(state.counts).reduce((sum, count) => sum + count, 0) <= maxRecords
}

export class Drifts {
  private readonly kept = new Map<string, Kept>()
  private readonly running = new Set<string>()
  /** One after the other: each of them is work for the processor alone. */
  private readonly turns = new Turns()

  constructor(private readonly parts: DriftParts) {}

  /**
   * The last drift of a pair, also of older records, and its version; undefined until it is known.
   * @param key the same for callers who see the same connections: what people have matched on others is not for everybody
   */
  driftOf(key: string): { drift: Drift; version: number } | undefined {
    const { drift, version } = this.kept.get(key) ?? {}
    return drift && version !== undefined ? { drift, version } : undefined
  }

  isRunning(key: string): boolean {
    return this.running.has(key)
  }

  /** Compares what was read, unless that is done or under way. */
  begin(key: string, pair: Pair): void {
    const of = `${pair.baseline.readAt} ${pair.other.readAt} ${this.parts.comparisons.matchRevision}`
    if (this.running.has(key) || this.kept.get(key)?.of === of) return
    this.running.add(key)
    void this.turns
      .take(() => this.compare(pair))
      .then((drift) => this.keep(key, { of, drift, version: this.parts.news.note() }))
      .finally(() => {
        this.running.delete(key)
        this.parts.news.wake()
      })
  }

  private async compare({ baseline, other, isSeen }: Pair): Promise<Drift | undefined> {
    const { comparisons, onError } = this.parts
    try {
      return await comparisons.drift(other.connectionId, baseline.connectionId, isSeen)
    } catch (error) {
      // If one of the connections is gone, or its key cannot be decrypted, its own line says so.
      if (!(error instanceof ApiFailure)) onError(error)
      return undefined
    }
  }

  private keep(key: string, kept: Kept): void {
    this.kept.delete(key)
    this.kept.set(key, kept)
    const [oldest] = this.kept.keys()
    if (this.kept.size > maxKept && oldest !== undefined) this.kept.delete(oldest)
  }
}

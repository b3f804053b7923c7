/** Long polling: the first response has what is known at once, and each further one waits for something new. */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IsSeen } from './comparisons.ts'

/** Milliseconds that a first request waits where nothing is known yet. */
const firstWait = 150
/** Milliseconds that a further request waits for something new, and then for what comes right after. */
const longestWait = 15_000
const gatheringWait = 250

/** The caller of a request. */
export interface PollCaller {
  /** The connections that they see, in the order in which they are shown. */
  ids: readonly string[]
  isSeen: IsSeen
  signal: AbortSignal
}

/** The result of one look at what is known now. */
export interface PollResult<Page> {
  page: Page
  /** Whether it has something new. */
  hasChanges: boolean
  /** Whether more is being read. */
  isReading: boolean
  /** Whether more is known than one response has. */
  isCut?: boolean
}

export class LongPoll {
  readonly #closed = new AbortController()
  readonly #versionFeed: VersionFeed

  constructor(versionFeed: VersionFeed) {
    this.#versionFeed = versionFeed
  }

  /**
   * @param look what is known now; called again after something has become known
   * @param isFirst whether the caller knows nothing yet, so that the response does not wait
   */
  async page<Page>(look: () => PollResult<Page>, isFirst: boolean, caller: Pick<PollCaller, 'signal'>): Promise<Page> {
    const signal = AbortSignal.any([caller.signal, this.#closed.signal])
    const until = performance.now() + (isFirst ? firstWait : longestWait)
    let seen = look()
    if (isFirst && seen.hasChanges) return seen.page
    while (!seen.hasChanges && seen.isReading && !signal.aborted && performance.now() < until) {
      await this.#versionFeed.next(until - performance.now(), signal)
      seen = look()
    }
    if (!seen.hasChanges || !seen.isReading || seen.isCut) return seen.page
    const wait = Math.min(gatheringWait, Math.max(0, until - performance.now()))
    await sleep(wait, undefined, { signal }).catch(() => {})
    return look().page
  }

  /** Ends all waiting. */
  close(): void {
    this.#closed.abort()
  }
}

/** Equal for callers who see the same connections. */
export function visibleConnectionsKey({ ids }: Pick<PollCaller, 'ids'>): string {
  return createHash('sha256').update(ids.join(' ')).digest('base64')
}

/** Versions of what becomes known over time, and waiting for the next one. */
export class VersionFeed {
  /** Tells the versions of this process from those of another one, or of an earlier start. */
  readonly #process = randomUUID()
  #count = 0
  readonly #waiting = new Set<() => void>()

  /** @returns the version of something that has just become known */
  note(): number {
    this.#count += 1
    this.wake()
    return this.#count
  }

  /** Ends all waiting: something is known, or something is no longer being read. */
  wake(): void {
    for (const end of this.#waiting) end()
  }

  /** The newest version. */
  get version(): number {
    return this.#count
  }

  get cursor(): string {
    return this.cursorAt(this.#count)
  }

  /** The cursor for everything newer than a version. */
  cursorAt(version: number): string {
    return `${this.#process}.${version}`
  }

  /** The version of a cursor; undefined if it is not one of this process. */
  versionOf(cursor: string | undefined): number | undefined {
    const [process, count] = cursor?.split('.') ?? []
    return process === this.#process && count !== undefined && /^\d{1,15}$/.test(count) ? Number(count) : undefined
  }

  /** Returns with the next version, after some milliseconds, or when the signal fires. */
  async next(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || milliseconds <= 0) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      signal.addEventListener('abort', end)
      this.#waiting.add(end)
    })
  }
}

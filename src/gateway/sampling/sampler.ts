/**
 * Samples the metrics of one connection's services and pipes while somebody views them, and for some minutes after. Then it
 * goes on slowly, so that the load of the last day is known, as long as a session that viewed them lasts.
 *
 * All metrics of an organization come from one Prometheus scrape, which is sent behind all other requests. Sampling stops
 * when the key is refused, until somebody retries. A sample has its time and the interval in force; where more time lies
 * between two samples, charts draw nothing. `samplingInterval.ts` has the interval.
 */
import type { ApiError } from '#contract/wire/kernel.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { failure, ApiFailure } from '#node/upstream/apiFailure.ts'
import { withScrape, type RetainedSamples } from './retainedSamples.ts'
import { intervalOf, nextShortage, type SamplingIntervals } from './samplingInterval.ts'
import type { PipeSample } from '#contract/console/sampling/pipeSamples.ts'
import type { ServiceSample } from '#contract/console/sampling/serviceSamples.ts'
import type { TakenScrape } from './sharedSamples.ts'

interface ScrapeOrder {
  /** The time of the last sample; 0 for none. */
  after: number
  /** Milliseconds between two scrapes now; 0 for at once. */
  pace: number
  /** Milliseconds between two scrapes at the last sample, shown with the next one. */
  shownPace: number
  /** Since when the scrape is due, epoch milliseconds. Before, rate limits may have refused it. */
  dueAt: number
  signal: AbortSignal
}

/** Where a sampler reads metrics. */
export interface MetricsSource {
  /** Identifies the samples: another run has other samples. */
  readonly run: string
  /**
   * Reads the metrics once, unless another console has just done so. @returns what was taken since the last sample
   * @throws ApiFailure, or the signal's reason
   */
  scrape(order: ScrapeOrder): Promise<readonly TakenScrape[]>
  /** Samples that other consoles have taken since the last sample. */
  follow(after: number): Promise<readonly TakenScrape[]>
  /** The rate limit: milliseconds between two requests if spent evenly, and the share that is left, 0 to 1. */
  budget(): { spacing: number; left: number }
}

/** Milliseconds that sampling continues at its usual interval after the last request, so that a reload leaves no gap. */
const continueFor = 5 * 60_000
/** Milliseconds between two scrapes that nobody views. */
const unviewedInterval = 5 * 60_000

/**
 * Errors after which a retry with the same key is useless, and would look like an attack. A missing endpoint is none of
 * them: a proxy may lack it for the length of an upgrade.
 */
const final: readonly string[] = ['keyRejected', 'forbidden', 'blocked']

export class Sampler {
  pipes: RetainedSamples<PipeSample> = new Map()
  services: RetainedSamples<ServiceSample> = new Map()
  /** When the last successful scrape was, epoch milliseconds. */
  at: number | null = null
  error: ApiError | null = null

  #taken = 0
  #failures = 0
  #shortage = 0
  #spacing = 0
  /** Whether somebody waits for a scrape now, although another one was just taken. */
  #isUrgent = false
  #requestedAt = -Infinity
  /** Whether the next scrape is one that nobody views. */
  #isUnviewed = false
  /** Since when the next scrape is due, epoch milliseconds. Undefined between two scrapes. */
  #dueAt: number | undefined
  /** The interval at the last sample. Failures since then are a gap and not a longer interval. */
  #interval: number
  #underWay: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #end = new AbortController()
  readonly #source: MetricsSource
  readonly #intervals: SamplingIntervals

  constructor(source: MetricsSource, intervals: SamplingIntervals) {
    this.#source = source
    this.#intervals = intervals
    this.#interval = intervals.first
  }

  /** Starts or continues sampling. Waits for the first scrape. A retry scrapes immediately. */
  async sample(retry = false): Promise<void> {
    this.#requestedAt = performance.now()
    if (retry) this.#failures = this.#shortage = 0
    const due = (this.#timer === undefined || this.#isUnviewed) && !this.#stopped
    if (retry) this.#isUrgent = true
    if (retry || due) this.#scrape()
    if (this.at === null || retry) await this.#underWay
    this.#add(await this.#source.follow(this.at ?? 0))
  }

  get run(): string {
    return this.#source.run
  }

  /** The interval and why it is longer than usual; null if sampling has stopped until a retry. */
  get pace() {
    return this.#stopped ? { pace: null, slowed: null } : intervalOf(this.#intervals, this.#state())
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#end.abort(new DOMException('Sampling has ended.', 'AbortError'))
  }

  get #stopped(): boolean {
    return this.error !== null && final.includes(this.error.code)
  }

  #state() {
    const { error } = this
    const taken = this.#taken
    const failures = this.#failures
    const spacing = this.#spacing
    const shortage = this.#shortage
    const retryAfter = (error?.retryAfter ?? 0) * 1000
    return { taken, failures, limited: error?.code === 'rateLimited', retryAfter, spacing, shortage }
  }

  #scrape(): void {
    this.#underWay ??= this.#scrapeOnce().finally(() => {
      this.#underWay = undefined
      this.#schedule()
    })
  }

  async #scrapeOnce(): Promise<void> {
    clearTimeout(this.#timer)
    // Before the scrape itself counts, and after the first requests of the page.
    if (this.#taken > 0) this.#shortage = nextShortage(this.#shortage, this.#source.budget().left)
    try {
      const pace = this.#isUrgent ? 0 : (this.pace.pace ?? 0)
      this.#isUrgent = false
      this.#dueAt ??= currentTime()
      const shownPace = this.#interval
      const dueAt = this.#dueAt
      this.#add(await this.#source.scrape({ after: this.at ?? 0, pace, shownPace, dueAt, signal: this.#end.signal }))
      this.#dueAt = undefined
      this.error = null
      this.#failures = 0
      this.#taken++
    } catch (error) {
      if (this.#end.signal.aborted) return
      const known = error instanceof ApiFailure ? error : failure('failed', 'Failed to read the metrics.')
      this.error = known.error
      this.#failures++
      // A rate limit delays the sample. After other failures, nothing is known about the time before it.
      if (known.error.code !== 'rateLimited') this.#dueAt = undefined
    }
  }

  /** A request and a scrape may find the same ones. */
  #add(taken: readonly TakenScrape[]): void {
    for (const { at, pace, pipes, services } of taken) {
      if (at <= (this.at ?? 0)) continue
      const labelled = <R>(found: ReadonlyMap<string, R>) =>
        new Map([...found].map(([id, reading]) => [id, { at, pace, ...reading }]))
      this.pipes = withScrape(this.pipes, labelled(pipes), at)
      this.services = withScrape(this.services, labelled(services), at)
      this.at = at
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#spacing = this.#source.budget().spacing
    this.#isUnviewed = performance.now() - this.#requestedAt > continueFor
    const { pace } = this.pace
    if (pace === null || this.#end.signal.aborted) return
    const interval = this.#isUnviewed ? Math.max(unviewedInterval, pace) : pace
    if (this.#failures === 0) this.#interval = interval
    this.#timer = setTimeout(() => this.#scrape(), interval)
    this.#timer.unref()
  }
}

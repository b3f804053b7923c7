/** Samples the metrics of one connection's pipes while somebody looks, and for some minutes after. */
import type { ApiError } from '#contract/kernel.ts'
import type { PipeSample } from '#contract/pipeSamples.ts'
import { failure, GatewayError } from '../errors.ts'
import { withScrape, type Kept } from './kept.ts'
import { paceOf, type Pace } from './pace.ts'

/** What a sampler asks of the world around it. */
export interface Source {
  /** Reads the metrics once. Throws GatewayError, or the signal's reason. */
  scrape(signal: AbortSignal): Promise<ReadonlyMap<string, PipeSample>>
  /** Milliseconds between two requests of the key, were its limit spent evenly. */
  spacing(): number
}

/** Milliseconds after the last look during which sampling goes on: a reload or a detour leaves no gap. */
const lingering = 5 * 60_000

/** After these, asking again with the same key tells nothing new, and looks like an attack. */
const final: readonly string[] = ['keyRejected', 'forbidden', 'notOffered', 'notFound', 'blocked', 'malformedReply']

export class Sampler {
  kept: Kept = new Map()
  /** Of the last scrape that succeeded, epoch milliseconds. */
  at: number | null = null
  error: ApiError | null = null

  private taken = 0
  private failures = 0
  private lookedAt = 0
  private underWay: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly end = new AbortController()

  constructor(
    private readonly source: Source,
    private readonly rules: Pace,
  ) {}

  /** Somebody looks. Waits for the first scrape, so that the first look sees something; asks again at once on a retry. */
  async look(retry = false): Promise<void> {
    this.lookedAt = Date.now()
    if (retry) this.failures = 0
    const due = this.timer === undefined && !this.stopped
    if (retry || due) this.scrape()
    if (this.at === null || retry) await this.underWay
  }

  /** Null where it has stopped until a retry. */
  get pace() {
    return this.stopped ? { pace: null, slowed: null } : paceOf(this.rules, this.course())
  }

  close(): void {
    clearTimeout(this.timer)
    this.end.abort(new DOMException('Sampling has ended.', 'AbortError'))
  }

  private get stopped(): boolean {
    return this.error !== null && final.includes(this.error.code)
  }

  private course() {
    const { taken, failures } = this
    return { taken, failures, retryAfter: (this.error?.retryAfter ?? 0) * 1000, spacing: this.source.spacing() }
  }

  private scrape(): void {
    this.underWay ??= this.scrapeOnce().finally(() => {
      this.underWay = undefined
      this.plan()
    })
  }

  private async scrapeOnce(): Promise<void> {
    clearTimeout(this.timer)
    try {
      const found = await this.source.scrape(this.end.signal)
      this.at = Date.now()
      this.kept = withScrape(this.kept, found)
      this.error = null
      this.failures = 0
      this.taken++
    } catch (error) {
      if (this.end.signal.aborted) return
      const known = error instanceof GatewayError ? error : failure('failed', 'Sampling the metrics failed.')
      this.error = known.error
      this.failures++
    }
  }

  private plan(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    const { pace } = this.pace
    if (pace === null || this.end.signal.aborted || Date.now() - this.lookedAt > lingering) return
    this.timer = setTimeout(() => this.scrape(), pace)
    this.timer.unref()
  }
}

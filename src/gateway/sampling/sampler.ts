/** Samples the metrics of one connection's pipes while somebody looks, and for some minutes after. */
import type { ApiError } from '#contract/kernel.ts'
import { failure, GatewayError } from '../http/errors.ts'
import { withScrape, type Kept } from './kept.ts'
import { paceOf, shortness, type Pace } from './pace.ts'
import type { Reading } from './readSamples.ts'

/** What a sampler asks of the world around it. */
export interface Source {
  /** Reads the metrics once. Throws GatewayError, or the signal's reason. */
  scrape(signal: AbortSignal): Promise<ReadonlyMap<string, Reading>>
  /** Of the key's limit: milliseconds between two requests, were it spent evenly, and the share that is left now, 0 to 1. */
  budget(): { spacing: number; left: number }
}

/** Milliseconds after the last look during which sampling goes on: a reload or a detour leaves no gap. */
const lingering = 5 * 60_000

/** After these, asking again with the same key tells nothing new, and looks like an attack. */
const final: readonly string[] = ['keyRejected', 'forbidden', 'notOffered', 'notFound', 'blocked']

export class Sampler {
  kept: Kept = new Map()
  /** Of the last scrape that succeeded, epoch milliseconds. */
  at: number | null = null
  error: ApiError | null = null

  private taken = 0
  private failures = 0
  private short = 0
  private spacing = 0
  private lookedAt = 0
  /** The pace when the last sample was taken: failures since then are a gap, not a slower pace. */
  private intended: number
  private underWay: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly end = new AbortController()

  constructor(
    private readonly source: Source,
    private readonly rules: Pace,
  ) {
    this.intended = rules.first
  }

  /** Somebody looks. Waits for the first scrape, so that the first look sees something; asks again at once on a retry. */
  async sample(retry = false): Promise<void> {
    this.lookedAt = Date.now()
    if (retry) this.failures = this.short = 0
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
    const { taken, failures, error, spacing, short } = this
    const retryAfter = (error?.retryAfter ?? 0) * 1000
    return { taken, failures, limited: error?.code === 'rateLimited', retryAfter, spacing, short }
  }

  private scrape(): void {
    this.underWay ??= this.scrapeOnce().finally(() => {
      this.underWay = undefined
      this.plan()
    })
  }

  private async scrapeOnce(): Promise<void> {
    clearTimeout(this.timer)
    // Before the scrape itself takes from it, and once the page's own first requests are over.
    if (this.taken > 0) this.short = shortness(this.short, this.source.budget().left)
    try {
      const found = await this.source.scrape(this.end.signal)
      this.keep(found)
    } catch (error) {
      if (this.end.signal.aborted) return
      const known = error instanceof GatewayError ? error : failure('failed', 'Sampling the metrics failed.')
      this.error = known.error
      this.failures++
    }
  }

  private keep(found: ReadonlyMap<string, Reading>): void {
    // Times name samples: a clock that was set back must not give one twice.
    const at = Math.max(Date.now(), (this.at ?? 0) + 1)
    const label = { at, pace: this.intended }
    const samples = new Map([...found].map(([id, reading]) => [id, { ...label, ...reading }]))
    this.kept = withScrape(this.kept, samples, at)
    this.at = at
    this.error = null
    this.failures = 0
    this.taken++
  }

  private plan(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.spacing = this.source.budget().spacing
    const { pace } = this.pace
    if (pace !== null && this.failures === 0) this.intended = pace
    if (pace === null || this.end.signal.aborted || Date.now() - this.lookedAt > lingering) return
    this.timer = setTimeout(() => this.scrape(), pace)
    this.timer.unref()
  }
}

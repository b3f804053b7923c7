/** The requests that wait for the rate limit of a key, and which of them is next. */
import { priorities } from '#contract/console/connections.ts'

export type Priority = (typeof priorities)[number]

/** A request for a slot. While it waits, others that need the same read may join, and raise its priority. */
export interface Claim {
  priority: Priority
  /** People, tokens and sessions without an account; absent or empty for the console itself. */
  callers?: ReadonlySet<string> | undefined
  signal?: AbortSignal | undefined
}

export interface Slot {
  /** When the request was sent, by `performance.now()`. */
  sentAt: number
  /** Call this once the response has arrived or has failed. */
  release(): void
}

export interface Waiting {
  claim: Claim
  /** When it stops waiting, by `performance.now()`. */
  until: number
  grant(slot: Slot): void
  refuse(reason: unknown): void
}

const maxWaiting = 500
/** As many of one caller wait, so that nobody else is refused because of them. */
const maxOfCaller = 100
/** The most requests of the console itself that wait: the other places are for people. */
const maxOfConsole = 300
/** As many turns are remembered: a key without a rate limit has any number in a window. */
const maxTurns = 1_000

/**
 * Requests with the highest priority are first. Among them the callers take turns: the next one is of the caller whom the
 * fewest requests were granted lately, so that a few clicks do not wait behind the hundreds of somebody else.
 */
export class WaitingRequests {
  #waiting: Waiting[] = []
  /** Ascending by time. */
  #granted: { caller: string; at: number }[] = []
  /** How many of those each caller has. */
  readonly #turns = new Map<string, number>()

  get size(): number {
    return this.#waiting.length
  }

  /** Whether another request of its callers may wait. */
  hasPlace(claim: Claim): boolean {
    if (this.size >= maxWaiting) return false
    // Fewer than one caller may have: nobody has too many.
    if (this.size < maxOfCaller) return true
    const waitingOf = (caller: string) => this.#waiting.filter((request) => hasCaller(request.claim, caller)).length
    return callersOf(claim).some((caller) => waitingOf(caller) < (caller === '' ? maxOfConsole : maxOfCaller))
  }

  add(request: Waiting): void {
    this.#waiting.push(request)
  }

  remove(request: Waiting): void {
    const place = this.#waiting.indexOf(request)
    if (place >= 0) this.#waiting.splice(place, 1)
  }

  /** Takes out the requests that stop waiting before a time by `performance.now()`. */
  takeEndingBefore(time: number): Waiting[] {
    if (!this.#waiting.some(({ until }) => until < time)) return []
    const ending = this.#waiting.filter(({ until }) => until < time)
    this.#waiting = this.#waiting.filter(({ until }) => until >= time)
    return ending
  }

  /** The request that is granted next. It is asked for with every request, so it looks at each of those that wait once. */
  first(): Waiting | undefined {
    let best: Waiting | undefined
    let [bestRank, fewest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (const request of this.#waiting) {
      const own = rank(request)
      if (own > bestRank) continue
      const turns = this.#fewestTurns(request.claim)
      if (own === bestRank && turns >= fewest) continue
      best = request
      bestRank = own
      fewest = turns
    }
    return best
  }

  /**
   * Takes out a request that is granted.
   * @param since the turns of callers before this time, by `performance.now()`, are forgotten
   */
  take(request: Waiting, since: number): void {
    this.remove(request)
    const at = performance.now()
    for (const caller of callersOf(request.claim)) {
      this.#granted.push({ caller, at })
      this.#turns.set(caller, (this.#turns.get(caller) ?? 0) + 1)
    }
    this.#forgetTurns(since)
  }

  #fewestTurns({ callers }: Claim): number {
    if (!callers || callers.size === 0) return this.#turns.get('') ?? 0
    let fewest = Number.POSITIVE_INFINITY
    for (const caller of callers) fewest = Math.min(fewest, this.#turns.get(caller) ?? 0)
    return fewest
  }

  #forgetTurns(since: number): void {
    const beyond = this.#granted.length - maxTurns
    const old = this.#granted.findIndex(({ at }, place) => place >= beyond && at > since)
    const gone = this.#granted.splice(0, old < 0 ? this.#granted.length : old)
    for (const { caller } of gone) {
      const left = (this.#turns.get(caller) ?? 0) - 1
      if (left > 0) this.#turns.set(caller, left)
      else this.#turns.delete(caller)
    }
  }
}

const ranks = new Map(priorities.map((priority, rank) => [priority, rank]))

function rank({ claim }: Waiting): number {
  return ranks.get(claim.priority) ?? ranks.size
}

function hasCaller({ callers }: Claim, caller: string): boolean {
  return callers && callers.size > 0 ? callers.has(caller) : caller === ''
}

/** The console itself is one of the callers, with an empty name. */
function callersOf({ callers }: Claim): readonly string[] {
  return callers && callers.size > 0 ? [...callers] : ['']
}

/** The requests that wait for the rate limit of a key, and which of them is next. */
import { priorities } from '#contract/connections.ts'

export type Priority = (typeof priorities)[number]

/** A request for a slot. While it waits, others that need the same read may join, and raise its priority. */
export interface Claim {
  priority: Priority
  /** Who asks: people, tokens and sessions without an account; absent or empty for the console itself. */
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
/** As many of the console itself wait: the rest of the places is for people. */
const maxOfConsole = 300
/** As many turns are remembered: a key without a rate limit has any number in a window. */
const maxTurns = 1_000

/**
 * Requests with the highest priority are first. Among them the callers take turns: the next one is of the caller whom the
 * fewest requests were granted lately, so that a few clicks do not wait behind the hundreds of somebody else.
 */
export class WaitingRequests {
  private waiting: Waiting[] = []
  /** Ascending by time. */
  private granted: { caller: string; at: number }[] = []

  get size(): number {
    return this.waiting.length
  }

  /** Whether another request of its callers may wait. */
  hasPlace(claim: Claim): boolean {
    if (this.size >= maxWaiting) return false
    const waitingOf = (caller: string) => this.waiting.filter((one) => callersOf(one.claim).includes(caller)).length
    return callersOf(claim).some((caller) => waitingOf(caller) < (caller === '' ? maxOfConsole : maxOfCaller))
  }

  add(request: Waiting): void {
    this.waiting.push(request)
  }

  remove(request: Waiting): void {
    this.waiting = this.waiting.filter((other) => other !== request)
  }

  /** Takes out the requests that stop waiting before a time by `performance.now()`. */
  takeEndingBefore(time: number): Waiting[] {
    const ending = this.waiting.filter(({ until }) => until < time)
    if (ending.length > 0) this.waiting = this.waiting.filter(({ until }) => until >= time)
    return ending
  }

  /** The request that is granted next. */
  first(): Waiting | undefined {
    const highest = Math.min(...this.waiting.map(rank))
    const turns = new Map<string, number>()
    for (const { caller } of this.granted) turns.set(caller, (turns.get(caller) ?? 0) + 1)
    const fewest = (request: Waiting) => Math.min(...callersOf(request.claim).map((caller) => turns.get(caller) ?? 0))
    let best: Waiting | undefined
    for (const request of this.waiting) {
      if (rank(request) !== highest) continue
      if (best === undefined || fewest(request) < fewest(best)) best = request
    }
    return best
  }

  /**
   * Takes out a request that is granted.
   * @param since the turns of callers before this time, by `performance.now()`, are forgotten
   */
  take(request: Waiting, since: number): void {
    this.remove(request)
    this.granted = this.granted.filter(({ at }) => at > since).slice(-maxTurns)
    const at = performance.now()
    for (const caller of callersOf(request.claim)) this.granted.push({ caller, at })
  }
}

function rank({ claim }: Waiting): number {
  return priorities.indexOf(claim.priority)
}

/** The console itself is one of the callers, with an empty name. */
function callersOf({ callers }: Claim): readonly string[] {
  return callers && callers.size > 0 ? [...callers] : ['']
}

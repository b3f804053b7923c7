/**
 * Decides which query runs next. Light and heavy queries wait in separate queues, and heavy ones have few places, so that a light one finds
 * a place while heavy ones run. Of those that wait, the turn is that of whoever was given least so far, whatever the
 * number of their queries. Alerts do not wait at all.
 */
import { EngineAborted, EngineBusy } from '../engine/engineError.ts'

/** `page`: somebody looks at it. `program`: another client of the API. */
export type QueryKind = 'page' | 'program' | 'alert'

export interface TurnClaim {
  kind: QueryKind
  /** The API key, with the session where several sessions share a key. */
  asker: string
  isHeavy: boolean
  /** Its cost for the engine, compared with others. */
  cost: number
  signal?: AbortSignal | undefined
}

export interface Turn {
  /** Whether no other query ran or waited when this one began. */
  isAlone: boolean
  /** Call this once the query is done. */
  leave(): void
}

export interface QueryQueueOptions {
  /** Queries at the same time, those of alerts not counted. */
  places: number
  /** Heavy ones among them. */
  heavyPlaces: number
  /** Queries of one asker that may wait. Default 100. */
  maxWaiting?: number
  /** Queries of all askers that may wait. Default 1,000. */
  maxWaitingInAll?: number
  /** Milliseconds that a query may wait. Default 25 s. */
  maxWait?: number
}

interface Waiting {
  claim: TurnClaim
  grant(turn: Turn): void
}

/** The queries of one weight that wait, and how much of it each asker has used. */
interface Queue {
  waiting: Waiting[]
  /** By asker. Only of those who wait or run. */
  spent: Map<string, number>
  /** The share of the asker who was served last: new askers start here, without credit for the past. */
  level: number
}

/** The weight of a query against its asker: programs get a third of what people get, where both wait. */
const weights: Record<QueryKind, number> = { page: 1, program: 3, alert: 1 }

/** Seconds after which a refused query is worth another try. */
const retryAfter = 5

export class QueryQueue {
  readonly #options: Required<QueryQueueOptions>
  readonly #queues = { light: newQueue(), heavy: newQueue() }
  #running = 0
  #heavyRunning = 0
  /** How many queries of alerts run. */
  #beside = 0

  constructor(options: QueryQueueOptions) {
    this.#options = { maxWaiting: 100, maxWaitingInAll: 1000, maxWait: 25_000, ...options }
  }

  /** Queries that wait. */
  get waiting(): number {
    return this.#queues.light.waiting.length + this.#queues.heavy.waiting.length
  }

  /**
   * Resolves when the query may run. @throws EngineBusy where too many wait, or for too long; EngineAborted after the signal
   */
  take(claim: TurnClaim): Promise<Turn> {
    if (claim.signal?.aborted) return Promise.reject(new EngineAborted())
    if (claim.kind === 'alert') return Promise.resolve(this.#beginBeside())
    const queue = this.#queueOf(claim)
    const problem = this.#refusal(claim)
    if (problem) return Promise.reject(problem)
    if (!queue.spent.has(claim.asker)) queue.spent.set(claim.asker, queue.level)
    return new Promise((resolve, reject) => {
      const leave = (reason: Error) => {
        const at = queue.waiting.indexOf(waiting)
        if (at < 0) return
        queue.waiting.splice(at, 1)
        stop()
        reject(reason)
      }
      const onAbort = () => leave(new EngineAborted())
      const timer = setTimeout(() => leave(waitedTooLong()), this.#options.maxWait)
      timer.unref()
      const stop = () => {
        clearTimeout(timer)
        claim.signal?.removeEventListener('abort', onAbort)
      }
      const waiting: Waiting = {
        claim,
        grant(turn) {
          stop()
          resolve(turn)
        },
      }
      claim.signal?.addEventListener('abort', onAbort, { once: true })
      queue.waiting.push(waiting)
      this.#serve()
    })
  }

  #refusal({ asker }: TurnClaim): EngineBusy | undefined {
    const { maxWaiting, maxWaitingInAll } = this.#options
    const all = [...this.#queues.light.waiting, ...this.#queues.heavy.waiting]
    const own = all.filter(({ claim }) => claim.asker === asker).length
    if (own >= maxWaiting) return new EngineBusy(`${own} of your queries wait already. ${again}`, retryAfter)
    if (all.length >= maxWaitingInAll) return new EngineBusy(`${all.length} queries wait already. ${again}`, retryAfter)
    return undefined
  }

  #serve(): void {
    for (let next = this.#next(); next; next = this.#next()) this.#begin(next)
  }

  /** Light ones first: they leave their place soon, and heavy ones never have all places. */
  #next(): Waiting | undefined {
    if (this.#running >= this.#options.places) return undefined
    const { light, heavy } = this.#queues
    return takeNext(light) ?? (this.#heavyRunning < this.#options.heavyPlaces ? takeNext(heavy) : undefined)
  }

  #begin({ claim, grant }: Waiting): void {
    const queue = this.#queueOf(claim)
    const isAlone = this.#running === 0 && this.#beside === 0 && this.waiting === 0
    queue.level = queue.spent.get(claim.asker) ?? queue.level
    queue.spent.set(claim.asker, queue.level + claim.cost * weights[claim.kind])
    this.#running++
    if (claim.isHeavy) this.#heavyRunning++
    grant({
      isAlone,
      leave: once(() => {
        this.#running--
        if (claim.isHeavy) this.#heavyRunning--
        this.#forget(queue)
        this.#serve()
      }),
    })
  }

  #beginBeside(): Turn {
    const isAlone = this.#running === 0 && this.#beside === 0
    this.#beside++
    return { isAlone, leave: once(() => void this.#beside--) }
  }

  /** Callers that are ahead of the level are remembered until others have caught up. */
  #forget(queue: Queue): void {
    const waiting = new Set(queue.waiting.map(({ claim }) => claim.asker))
    if (waiting.size === 0 && this.#running === 0) queue.spent.clear()
    for (const [asker, spent] of queue.spent) if (spent <= queue.level && !waiting.has(asker)) queue.spent.delete(asker)
  }

  #queueOf({ isHeavy }: TurnClaim): Queue {
    return isHeavy ? this.#queues.heavy : this.#queues.light
  }
}

const newQueue = (): Queue => ({ waiting: [], spent: new Map(), level: 0 })

/** The first query of whoever was given least. */
function takeNext(queue: Queue): Waiting | undefined {
  const spentBy = ({ claim }: Waiting) => queue.spent.get(claim.asker) ?? 0
  const [first, ...others] = queue.waiting
  if (!first) return undefined
  const next = others.reduce((least, other) => (spentBy(other) < spentBy(least) ? other : least), first)
  queue.waiting.splice(queue.waiting.indexOf(next), 1)
  return next
}

const again = 'Try again in a few seconds, or ask for less at once.'

function waitedTooLong(): EngineBusy {
  return new EngineBusy(`The query waited too long for its turn, because many others run. ${again}`, retryAfter)
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

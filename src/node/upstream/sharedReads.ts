/** Identical reads at the same time share one request. */
import { priorities } from '#contract/console/connections.ts'
import type { Priority } from './waitingRequests.ts'

/** The highest priority of those who wait, who they are, and a signal that fires when the last of them has left. */
export interface SharedClaim {
  priority: Priority
  callers: Set<string>
  signal: AbortSignal
}

interface Reader {
  priority: Priority
  /** See `Operation`. */
  caller?: string | undefined
  signal?: AbortSignal | undefined
}

interface SharedRead<T> {
  claim: SharedClaim
  result: Promise<T>
  readers: number
  cancel: AbortController
}

export class SharedReads<T> {
  readonly #reads = new Map<string, SharedRead<T>>()

  /**
   * Joins the read of this key, or starts it. `onJoin` is called when its turn may come earlier because of the reader.
   * Throws the reason of the reader's own signal if that is aborted; the read continues for the other readers.
   */
  async read(key: string, reader: Reader, onJoin: () => void, start: (claim: SharedClaim) => Promise<T>): Promise<T> {
    const { priority, caller, signal } = reader
    signal?.throwIfAborted()
    const shared = this.#reads.get(key) ?? this.#start(key, reader, start)
    shared.readers++
    const { claim } = shared
    const isHigher = priorities.indexOf(priority) < priorities.indexOf(claim.priority)
    const isNew = caller !== undefined && !claim.callers.has(caller)
    if (isHigher) claim.priority = priority
    if (isNew) claim.callers.add(caller)
    if (isHigher || isNew) onJoin()
    try {
      return await untilAborted(shared.result, signal)
    } finally {
      shared.readers--
      if (shared.readers === 0) {
        this.#remove(key, shared)
        shared.cancel.abort(new DOMException('Nobody is waiting for this read.', 'AbortError'))
      }
    }
  }

  #start(key: string, { priority, caller }: Reader, start: (claim: SharedClaim) => Promise<T>): SharedRead<T> {
    const cancel = new AbortController()
    const callers = new Set(caller === undefined ? [] : [caller])
    const claim: SharedClaim = { priority, callers, signal: cancel.signal }
    const result = start(claim)
    const shared = { claim, result, readers: 0, cancel }
    this.#reads.set(key, shared)
    const remove = () => this.#remove(key, shared)
    result.then(remove, remove)
    return shared
  }

  /** A later read of the same key may have taken its place. */
  #remove(key: string, shared: SharedRead<T>): void {
    if (this.#reads.get(key) === shared) this.#reads.delete(key)
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  let onAbort = () => {}
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => fail(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Identical reads at the same time share one request. */
import { priorities } from '#contract/connections.ts'
import type { Priority } from './requestBudget.ts'

/** The highest priority of the callers, and a signal that fires when the last of them has left. */
export interface SharedClaim {
  priority: Priority
  signal: AbortSignal
}

interface SharedRead<T> {
  claim: SharedClaim
  result: Promise<T>
  callers: number
  cancel: AbortController
}

export class SharedReads<T> {
  private readonly reads = new Map<string, SharedRead<T>>()

  /**
   * Joins the read of this key, or starts it. `onRaise` is called when a caller raised the priority of a read that waits.
   * Throws the reason of the caller's own signal if that is aborted; the read continues for the other callers.
   */
  async read(
    key: string,
    priority: Priority,
    signal: AbortSignal | undefined,
    onRaise: () => void,
    start: (claim: SharedClaim) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const shared = this.reads.get(key) ?? this.start(key, priority, start)
    shared.callers++
    if (priorities.indexOf(priority) < priorities.indexOf(shared.claim.priority)) {
      shared.claim.priority = priority
      onRaise()
    }
    try {
      return await untilAborted(shared.result, signal)
    } finally {
      shared.callers--
      if (shared.callers === 0) {
        this.remove(key, shared)
        shared.cancel.abort(new DOMException('No caller is waiting for this read.', 'AbortError'))
      }
    }
  }

  private start(key: string, priority: Priority, start: (claim: SharedClaim) => Promise<T>): SharedRead<T> {
    const cancel = new AbortController()
    const claim: SharedClaim = { priority, signal: cancel.signal }
    const result = start(claim)
    const shared = { claim, result, callers: 0, cancel }
    this.reads.set(key, shared)
    const remove = () => this.remove(key, shared)
    result.then(remove, remove)
    return shared
  }

  /** A later read of the same key may have taken its place. */
  private remove(key: string, shared: SharedRead<T>): void {
    if (this.reads.get(key) === shared) this.reads.delete(key)
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

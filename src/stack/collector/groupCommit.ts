/**
 * Group commit: batches that arrive for a table during an insert into it are combined in the next insert.
 * An insert of 1,000 rows costs little more than one of 10, and fewer parts are merged, so under load the collector gets
 * faster, not slower.
 */
export interface GroupCommitOptions<Block extends Rows> {
  /** Writes rows and resolves once they are durable. */
  insert: (table: string, blocks: readonly Block[]) => Promise<void>
  /**
   * Maximum time in milliseconds that rows wait for the previous insert, and for as many batches as it had; then an insert
   * starts, beside the previous one if that still runs.
   */
  maxWait: number
  /** Maximum rows of one insert, unless a single batch has more. */
  maxRows: number
  /** Maximum bytes of one insert, unless a single batch has more. */
  maxBytes: number
  /** Maximum concurrent inserts into one table. */
  maxInserts: number
  /** Maximum concurrent inserts into all tables: batches wait here for the engine, where their senders can still give up. */
  maxInsertsOverall: number
}

/** A batch of rows. */
export interface Rows {
  readonly rows: number
  readonly data: { readonly length: number }
}

interface Waiting<Block> {
  block: Block
  signal: AbortSignal | undefined
  /** Called when the signal fires before the insert starts. */
  leave: () => void
  resolve: () => void
  reject: (error: unknown) => void
}

interface Queue<Block> {
  waiting: Waiting<Block>[]
  inserts: number
  /** Batches of the previous insert; 0 if it left some. */
  previous: number
  timer: NodeJS.Timeout | undefined
  /** `maxWait` is over. */
  isOverdue: boolean
}

export class GroupCommit<Block extends Rows> {
  readonly #options: GroupCommitOptions<Block>
  /** By table. A table whose insert starts goes to the end, so that all have their turn. */
  readonly #queues = new Map<string, Queue<Block>>()
  #inserts = 0

  constructor(options: GroupCommitOptions<Block>) {
    this.#options = options
  }

  /**
   * Resolves once the insert with these rows is durable; rejects if these rows could not be written, or with the signal's
   * reason if that fires before their insert starts.
   */
  write(table: string, block: Block, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (block.rows === 0) return Promise.resolve()
    const queue = this.#queueOf(table)
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1)
        reject(signal?.reason)
      }
      const waiting = { block, signal, leave, resolve, reject }
      signal?.addEventListener('abort', leave, { once: true })
      queue.waiting.push(waiting)
      this.#startOrWait(table, queue)
    })
  }

  #queueOf(table: string): Queue<Block> {
    let queue = this.#queues.get(table)
    if (!queue)
      this.#queues.set(table, (queue = { waiting: [], inserts: 0, previous: 0, timer: undefined, isOverdue: false }))
    return queue
  }

  /** As many batches as before are probably on their way, because their senders were answered together. */
  #startOrWait(table: string, queue: Queue<Block>): void {
    if (queue.waiting.length === 0) return
    const { maxInserts, maxInsertsOverall } = this.#options
    const isFull = queue.inserts === 0 && queue.waiting.length >= queue.previous
    const isDue = isFull || (queue.isOverdue && queue.inserts < maxInserts)
    if (isDue && this.#inserts < maxInsertsOverall) this.#start(table, queue)
    else if (!queue.isOverdue) queue.timer ??= setTimeout(() => this.#waitedLong(table, queue), this.#options.maxWait)
  }

  #waitedLong(table: string, queue: Queue<Block>): void {
    queue.timer = undefined
    queue.isOverdue = queue.waiting.length > 0
    this.#startOrWait(table, queue)
  }

  #start(table: string, queue: Queue<Block>): void {
    clearTimeout(queue.timer)
    queue.timer = undefined
    queue.isOverdue = false
    const group = takeGroup(queue.waiting, this.#options)
    for (const { signal, leave } of group) signal?.removeEventListener('abort', leave)
    queue.inserts += 1
    this.#inserts += 1
    this.#queues.delete(table)
    this.#queues.set(table, queue)
    queue.previous = queue.waiting.length === 0 ? group.length : 0
    void this.#commit(table, group).finally(() => {
      queue.inserts -= 1
      this.#inserts -= 1
      for (const [other, waiting] of Array.from(this.#queues)) this.#startOrWait(other, waiting)
    })
  }

  async #commit(table: string, group: Waiting<Block>[]): Promise<void> {
    try {
      const blocks = group.map(({ block }) => block)
      await this.#options.insert(table, blocks)
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error)
      // A batch that the engine rejects must not fail others, so each is inserted separately.
      else {
        for (const waiting of group) {
          if (waiting.signal?.aborted) waiting.reject(waiting.signal.reason)
          else await this.#commit(table, [waiting])
        }
      }
    }
  }
}

function takeGroup<Block extends Rows>(
  waiting: Waiting<Block>[],
  { maxRows, maxBytes }: GroupCommitOptions<Block>,
): Waiting<Block>[] {
  let rows = 0
  let bytes = 0
  const beyond = waiting.findIndex(
    ({ block }) => (rows += block.rows) > maxRows || (bytes += block.data.length) > maxBytes,
  )
  return waiting.splice(0, beyond === -1 ? waiting.length : Math.max(1, beyond))
}

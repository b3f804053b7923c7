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
}

/** A batch of rows. */
export interface Rows {
  readonly rows: number
  readonly data: { readonly length: number }
}

interface Waiting<Block> {
  block: Block
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
  readonly #queues = new Map<string, Queue<Block>>()

  constructor(options: GroupCommitOptions<Block>) {
    this.#options = options
  }

  /** Resolves once the insert with these rows is durable; rejects if these rows could not be written. */
  write(table: string, block: Block): Promise<void> {
    if (block.rows === 0) return Promise.resolve()
    const queue = this.#queueOf(table)
    return new Promise((resolve, reject) => {
      queue.waiting.push({ block, resolve, reject })
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
    const isFull = queue.inserts === 0 && queue.waiting.length >= queue.previous
    if (isFull || (queue.isOverdue && queue.inserts < this.#options.maxInserts)) this.#start(table, queue)
    else queue.timer ??= setTimeout(() => this.#waitedLong(table, queue), this.#options.maxWait)
  }

  #waitedLong(table: string, queue: Queue<Block>): void {
    queue.isOverdue = true
    this.#startOrWait(table, queue)
  }

  #start(table: string, queue: Queue<Block>): void {
    clearTimeout(queue.timer)
    queue.timer = undefined
    queue.isOverdue = false
    const group = takeGroup(queue.waiting, this.#options)
    queue.inserts += 1
    queue.previous = queue.waiting.length === 0 ? group.length : 0
    void this.#commit(table, group).finally(() => {
      queue.inserts -= 1
      if (queue.waiting.length > 0) this.#startOrWait(table, queue)
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
      else for (const waiting of group) await this.#commit(table, [waiting])
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

/**
 * Group commit: batches that arrive for a table during an insert into it are combined in the next insert.
 * An insert of 1,000 rows costs little more than one of 10, so under load the collector gets faster, not slower.
 */
export interface GroupCommitOptions {
  /** Writes rows and resolves once they are durable. */
  insert: (table: string, rows: readonly object[]) => Promise<void>
  /** Maximum time that rows wait for the previous insert, in milliseconds; then a second insert starts beside it. */
  maxWait: number
  /** Maximum rows of one insert, unless a single batch has more. */
  maxRows: number
  /** Maximum bytes of one insert, as reported to `write`, unless a single batch has more. */
  maxBytes: number
  /** Maximum concurrent inserts into one table. */
  maxInserts: number
}

interface Waiting {
  rows: readonly object[]
  bytes: number
  resolve: () => void
  reject: (error: unknown) => void
}

interface Queue {
  waiting: Waiting[]
  inserts: number
  timer: NodeJS.Timeout | undefined
}

export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #queues = new Map<string, Queue>()

  constructor(options: GroupCommitOptions) {
    this.#options = options
  }

  /**
   * Resolves once the insert with these rows is durable; rejects if these rows could not be written.
   * @param bytes the approximate memory of the rows
   */
  write(table: string, rows: readonly object[], bytes: number): Promise<void> {
    if (rows.length === 0) return Promise.resolve()
    const queue = this.#queueOf(table)
    return new Promise((resolve, reject) => {
      queue.waiting.push({ rows, bytes, resolve, reject })
      if (queue.inserts === 0) this.#start(table, queue)
      else queue.timer ??= setTimeout(() => this.#waitedLong(table, queue), this.#options.maxWait)
    })
  }

  #queueOf(table: string): Queue {
    let queue = this.#queues.get(table)
    if (!queue) this.#queues.set(table, (queue = { waiting: [], inserts: 0, timer: undefined }))
    return queue
  }

  #waitedLong(table: string, queue: Queue): void {
    queue.timer = undefined
    if (queue.waiting.length > 0 && queue.inserts < this.#options.maxInserts) this.#start(table, queue)
  }

  #start(table: string, queue: Queue): void {
    clearTimeout(queue.timer)
    queue.timer = undefined
    const group = takeGroup(queue.waiting, this.#options)
    queue.inserts += 1
    void this.#commit(table, group).finally(() => {
      queue.inserts -= 1
      if (queue.waiting.length > 0) this.#start(table, queue)
    })
  }

  async #commit(table: string, group: Waiting[]): Promise<void> {
    try {
      await this.#options.insert(table, group.length === 1 ? group[0]!.rows : group.flatMap(({ rows }) => rows))
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error)
      // A batch that the engine rejects must not fail others, so each is inserted separately.
      else for (const waiting of group) await this.#commit(table, [waiting])
    }
  }
}

function takeGroup(waiting: Waiting[], { maxRows, maxBytes }: GroupCommitOptions): Waiting[] {
  let rows = 0
  let bytes = 0
  const beyond = waiting.findIndex((one) => (rows += one.rows.length) > maxRows || (bytes += one.bytes) > maxBytes)
  return waiting.splice(0, beyond === -1 ? waiting.length : Math.max(1, beyond))
}

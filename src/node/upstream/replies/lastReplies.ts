/**
 * Lists that were read again and have not changed: their rows are the same objects as before, so that nobody parses, compares or
 * stores them again. Only lists that somebody still holds are remembered.
 */
import { createHash } from 'node:crypto'

interface Reply {
  status: number
  text: string
  took?: number
}

interface Result {
  result: unknown
  took?: number | undefined
}

interface Remembered<T> {
  digest: string
  rows: WeakRef<unknown[]>
  /** The response without its rows, for as long as these are there. */
  rest: Omit<T, 'result'>
}

/** Lists that are remembered, a hundred bytes each. */
const maxLists = 20_000

/** The ID of a request at the beginning of an envelope: the only part that is different in each response. */
const requestId = /^\{\s*(?:"status"\s*:\s*\d+\s*,\s*)?"requestId"\s*:\s*"[^"\\]*"/

export class LastReplies<T extends Result> {
  readonly #lists = new Map<string, Remembered<T>>()
  readonly #digests = new WeakMap<readonly unknown[], string>()

  /** Equal for lists that came in the same text, also after a restart; undefined for those of several pages. */
  digestOf(rows: readonly unknown[]): string | undefined {
    return this.#digests.get(rows)
  }

  /**
   * The result of a list, which is the last one of this key if the response has the same text.
   * @param open reads the response
   */
  resultOf(key: string, reply: Reply, open: () => T): Omit<T, 'result'> & Result {
    if (reply.status !== 200) return open()
    const digest = createHash('sha256').update(reply.text.replace(requestId, '')).digest('base64')
    const known = this.#lists.get(key)
    const rows = known?.digest === digest ? known.rows.deref() : undefined
    if (known && rows) return { ...known.rest, result: rows, took: reply.took }
    const { result, ...rest } = open()
    if (Array.isArray(result)) {
      this.#digests.set(result, digest)
      this.#keep(key, { digest, rows: new WeakRef<unknown[]>(result), rest })
    }
    return { ...rest, result }
  }

  #keep(key: string, remembered: Remembered<T>): void {
    this.#lists.delete(key)
    this.#lists.set(key, remembered)
    const [oldest] = this.#lists.keys()
    if (this.#lists.size > maxLists && oldest !== undefined) this.#lists.delete(oldest)
  }
}

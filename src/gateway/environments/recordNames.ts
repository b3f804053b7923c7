/** Finds records of all connections by name, from what was read. Never waits for a deployment. */
import { z } from 'zod'
import { recordName, type RecordSearch } from '#contract/console/environments.ts'
import { namesOf, type RecordName } from '#domain/records/inventory.ts'
import type { Connections } from '../connections/connections.ts'
import type { KnownInventory } from '../inventories/inventories.ts'
import type { LastReadings } from './lastReadings.ts'
import type { Ages, StateReader } from './stateReader.ts'

const storedNames = z.object({ content: z.string(), names: z.array(recordName) })

/** Records of one search: more than the palette shows. */
const maxFound = 60
/** Names are read again after five minutes, behind all other requests. What fires is not asked for. */
const ages: Ages = { inventory: 5 * 60_000, firing: Number.POSITIVE_INFINITY }

/** The names of one connection, ready to be searched. */
interface Names {
  revision: string
  /** Equal for names of the same records. */
  content: string
  /** In lower case, in the order of the names. */
  lower: readonly string[]
  names: readonly RecordName[]
}

interface Found {
  connectionId: string
  record: RecordName
  rank: number
}

type Searched = Pick<Connections, 'ids' | 'nameOf' | 'revisionOf'>

export class RecordNames {
  readonly #known = new Map<string, Names>()
  readonly #connections: Searched
  readonly #reader: StateReader
  readonly #lastReadings: LastReadings

  constructor(connections: Searched, reader: StateReader, lastReadings: LastReadings) {
    this.#connections = connections
    this.#reader = reader
    this.#lastReadings = lastReadings
    // Every reading of the records of a connection updates its names.
    reader.onInventory = (read) => this.#keep(read)
  }

  /** Takes over the names that were read before the start. */
  async restore(): Promise<void> {
    for (const { connectionId, revision, content } of await this.#lastReadings.all('names', storedNames)) {
      if (!this.#known.has(connectionId)) this.#set(connectionId, { revision, ...content })
    }
  }

  /**
   * The names that are known now with every word of the text, some of which may be in the name of the connection. Names that
   * are old or missing are read in the background, for the next search.
   * @param isSeen whether whoever searches sees a connection, and does not know its records already
   */
  search(text: string, isSeen: (connectionId: string) => boolean): RecordSearch {
    this.#reader.forgetOthers()
    this.#forgetOthers()
    const ids = this.#connections.ids().filter(isSeen)
    for (const id of ids) this.#reader.begin(id, ages)
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    const found = ids.flatMap((id) => this.#foundIn(id, words)).toSorted((a, b) => a.rank - b.rank)
    return {
      records: found.slice(0, maxFound).map(({ connectionId, record }) => ({ connectionId, ...record })),
      reading: ids.filter((id) => this.#reader.isReading(id)),
    }
  }

  #keep({ target, inventory, side, content }: KnownInventory): void {
    const { connectionId, revision } = target
    const known = this.#known.get(connectionId)
    if (known?.revision === revision && known.content === content) return
    const names = namesOf(inventory, side(new Map()).directory)
    this.#set(connectionId, { revision, content, names })
    this.#lastReadings.note({ part: 'names', key: connectionId, connectionId, revision }, { content, names })
  }

  #set(connectionId: string, { names, ...rest }: Omit<Names, 'lower'>): void {
    this.#known.set(connectionId, { ...rest, names, lower: names.map(({ name }) => name.toLowerCase()) })
  }

  /** Forgets connections that no longer exist or lead elsewhere. */
  #forgetOthers(): void {
    for (const [id, { revision }] of this.#known) {
      if (revision !== this.#connections.revisionOf(id)) this.#known.delete(id)
    }
  }

  #foundIn(connectionId: string, words: readonly string[]): Found[] {
    const { lower = [], names = [] } = this.#known.get(connectionId) ?? {}
    const connection = this.#connections.nameOf(connectionId)?.toLowerCase() ?? ''
    const needed = words.filter((word) => !connection.includes(word))
    const found: Found[] = []
    for (const [at, name] of lower.entries()) {
      const record = names[at]
      const fits = needed.every((word) => name.includes(word)) && words.some((word) => name.includes(word))
      if (fits && record) found.push({ connectionId, record, rank: rankOf(name, words) })
    }
    return found
  }
}

/** The lower, the earlier: the whole name, its beginning, the text as it was typed, and words anywhere; then shorter names. */
function rankOf(name: string, words: readonly string[]): number {
  const typed = words.join(' ')
  const isWhole = name.startsWith(typed)
  const place = name === typed ? 0 : isWhole ? 1 : name.includes(typed) ? 2 : 3
  return place + Math.min(name.length, 999) / 1000
}

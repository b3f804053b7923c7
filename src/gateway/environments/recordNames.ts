/** Finds records of all connections by name, from what was read. Never waits for a deployment. */
import type { RecordSearch } from '#contract/environments.ts'
import { namesOf, type RecordName } from '#domain/records/inventory.ts'
import type { Connections } from '../connections/connections.ts'
import type { Inventories } from '../inventories/inventories.ts'

/** Found records of one connection. */
const maxFound = 20
/** Milliseconds after which names are read again, behind all other requests. */
const readAgainAfter = 5 * 60_000

interface Names {
  at: number
  names: RecordName[]
}

export class RecordNames {
  private readonly known = new Map<string, Names>()
  private readonly reading = new Set<string>()

  constructor(
    private readonly connections: Connections,
    private readonly inventories: Inventories,
  ) {}

  /**
   * The names that are known now. Names that are old or missing are read in the background, for the next search.
   * @param isSeen whether whoever searches sees a connection
   */
  search(text: string, isSeen: (connectionId: string) => boolean): RecordSearch {
    const all = this.connections.list().map(({ id }) => id)
    for (const id of this.known.keys()) if (!all.includes(id)) this.known.delete(id)
    const ids = all.filter(isSeen)
    for (const id of ids) this.readIfOld(id)
    const wanted = text.toLowerCase()
    const records = ids.flatMap((connectionId) => {
      const { names = [] } = this.known.get(connectionId) ?? {}
      const found = names.filter(({ name }) => name.toLowerCase().includes(wanted))
      return found.slice(0, maxFound).map((record) => ({ connectionId, ...record }))
    })
    return { records, reading: [...this.reading].filter(isSeen) }
  }

  private readIfOld(connectionId: string): void {
    const known = this.known.get(connectionId)
    if (this.reading.has(connectionId) || (known && performance.now() - known.at < readAgainAfter)) return
    this.reading.add(connectionId)
    void this.read(connectionId).finally(() => this.reading.delete(connectionId))
  }

  private async read(connectionId: string): Promise<void> {
    try {
      const { inventory, side } = await this.inventories.read(connectionId, { priority: 'background' })
      const names = namesOf(inventory, side(new Map()).directory)
      this.known.set(connectionId, { at: performance.now(), names })
    } catch {
      // A connection that cannot be read has no names. The next search after a while tries again.
      this.known.set(connectionId, { at: performance.now(), names: [] })
    }
  }
}

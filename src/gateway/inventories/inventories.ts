/** The records of connections, kept in memory for a short time. A slow or dead connection delays only the requests that read it. */
import { createHash, randomUUID } from 'node:crypto'
import { recordKinds } from '#contract/stack/recordKinds.ts'
import { ComparedSide } from '#domain/records/compare.ts'
import { isUnread, type Inventory } from '#domain/records/inventory.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import { readInventory } from '#node/upstream/readInventory.ts'
import type { Priority } from '#node/upstream/waitingRequests.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Connections } from '../connections/connections.ts'

/** Milliseconds for which an inventory is used again, unless something was written since. */
export const inventoryFreshFor = 60_000
/** Milliseconds after which it is dropped, if nobody asks for it. */
export const inventoryKeptFor = 5 * 60_000
/** Prepared comparisons of one inventory: one for each baseline that it is compared with. */
const maxSides = 4

export interface KnownInventory {
  target: UpstreamTarget
  inventory: Inventory
  readAt: string
  /** Milliseconds that the quickest list took, from its request to its response; undefined if none could be read. */
  latency: number | undefined
  /** Equal for readings that found the same records, also before a restart. */
  content: string
  /** Its records under the names of a baseline. */
  side: (labels: ReadonlyMap<string, string>) => ComparedSide
}

interface Kept {
  revision: string
  /** The writes through the connection when the reading began. */
  writes: number
  at: number
  result: Promise<KnownInventory>
}

export interface Reading {
  /** Milliseconds since which it may have been read. Zero: it is read now. */
  maxAge?: number
  priority?: Priority
}

export class Inventories {
  readonly #kept = new Map<string, Kept>()
  readonly #timer: NodeJS.Timeout
  readonly #connections: Connections
  readonly #deployments: Deployments

  constructor(connections: Connections, deployments: Deployments) {
    this.#connections = connections
    this.#deployments = deployments
    this.#timer = setInterval(() => this.#dropOld(), inventoryKeptFor / 5).unref()
  }

  /** @throws ApiFailure if the connection does not exist, or its key cannot be decrypted */
  async read(
    connectionId: string,
    { maxAge = inventoryFreshFor, priority = 'visible' }: Reading = {},
  ): Promise<KnownInventory> {
    const target = this.#connections.open(connectionId)
    const known = this.#current(target, maxAge)
    if (known) return known.result
    const last = this.#kept.get(connectionId)
    const result = this.#readNow(target, { fresh: maxAge === 0, priority }, last)
    const entry: Kept = {
      revision: target.revision,
      writes: this.#deployments.writesTo(target),
      at: performance.now(),
      result,
    }
    this.#kept.set(connectionId, entry)
    result.catch(() => {
      if (this.#kept.get(connectionId) === entry) this.#kept.delete(connectionId)
    })
    return result
  }

  close(): void {
    clearInterval(this.#timer)
    this.#kept.clear()
  }

  /** Reads under way and recent ones, unless something was written since. */
  #current(target: UpstreamTarget, maxAge: number): Kept | undefined {
    const kept = this.#kept.get(target.connectionId)
    if (!kept || kept.revision !== target.revision || kept.writes !== this.#deployments.writesTo(target))
      return undefined
    return performance.now() - kept.at < maxAge ? kept : undefined
  }

  async #readNow(
    target: UpstreamTarget,
    { fresh, priority }: { fresh: boolean; priority: Priority },
    last: Kept | undefined,
  ): Promise<KnownInventory> {
    let latency: number | undefined
    // The quickest: what else this process does makes all of them longer.
    const onReply = (took: number) => {
      latency = Math.min(latency ?? took, took)
    }
    const inventory = await readInventory(this.#deployments, target, { priority, fresh, onReply })
    const known = await last?.result.catch(() => undefined)
    const content = this.#contentOf(inventory)
    const isSame = last?.revision === target.revision && known?.content === content
    return {
      target,
      readAt: currentIsoTime(),
      latency: latency === undefined ? undefined : Math.round(latency),
      content,
      ...(isSame ? { inventory: known.inventory, side: known.side } : { inventory, side: sidesOf(inventory) }),
    }
  }

  /** Equal for the same lists. A list of several pages has no digest, and counts as another one with each reading. */
  #contentOf({ records, dataConnections }: Inventory): string {
    const lists = recordKinds.map((kind) => {
      const list = records[kind]
      return isUnread(list) ? list : (this.#deployments.digestOf(list) ?? randomUUID())
    })
    return digest(JSON.stringify([lists, dataConnections]))
  }

  #dropOld(): void {
    for (const [id, { at }] of this.#kept) if (performance.now() - at > inventoryKeptFor) this.#kept.delete(id)
  }
}

function sidesOf(inventory: Inventory): KnownInventory['side'] {
  const sides = new Map<string, ComparedSide>()
  return (labels) => {
    const key = JSON.stringify([...labels].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const known = sides.get(key)
    if (known) return known
    const side = new ComparedSide(inventory, digest, labels)
    const [oldest] = sides.keys()
    if (sides.size >= maxSides && oldest !== undefined) sides.delete(oldest)
    sides.set(key, side)
    return side
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64')

/** Why nothing of a connection could be read; undefined if anything was. */
export function problemOf({ inventory }: KnownInventory): string | undefined {
  const lists = recordKinds.map((kind) => inventory.records[kind])
  const failures = lists.map((list) => (isUnread(list) && list.state === 'failed' ? list.reason : undefined))
  return failures.every((reason) => reason !== undefined) ? failures[0] : undefined
}

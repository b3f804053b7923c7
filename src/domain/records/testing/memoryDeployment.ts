/** A deployment in memory, with the rules of real ones that matter to plans: assigned ids, and alerts that go with their tiles. */
import type { JsonObject } from '../../json/json.ts'
import { isPlainObject } from '../../json/plainObject.ts'
import type { Inventory } from '../inventory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import type { RecordPort } from '../run.ts'

const alertable = ['line', 'stacked_bar', 'number']

export class MemoryDeployment implements RecordPort {
  #count = 0
  readonly records = Object.fromEntries(recordKinds.map((kind) => [kind, new Map()])) as Record<
    RecordKind,
    Map<string, JsonObject>
  > // the keys are the kinds
  /** Every request, as `create dashboards`. */
  readonly requests: string[] = []
  /** Called before each request: throws to refuse it. */
  onRequest: (request: string) => void = () => {}
  /** Called after a write was applied: throws to lose its response. */
  onApplied: (request: string) => void = () => {}

  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  inventory(): Inventory {
    const rows = recordKinds.map((kind) => [kind, [...this.records[kind].values()].map((row) => copyOf(row))])
    // The entries are those of `recordKinds`.
    return {
      records: Object.fromEntries(rows) as Inventory['records'],
      dataConnections: [{ id: 'c1', name: 'Engine' }],
    }
  }

  read(kind: RecordKind, id: string): Promise<JsonObject | null> {
    return this.#request(`read ${kind}`, () => copyOf(this.records[kind].get(id) ?? null))
  }

  list(kind: RecordKind): Promise<readonly JsonObject[]> {
    return this.#request(`list ${kind}`, () => [...this.records[kind].values()].map((row) => copyOf(row)))
  }

  create(kind: RecordKind, body: JsonObject): Promise<unknown> {
    return this.#request(`create ${kind}`, () => this.#store(kind, this.#newId(), body))
  }

  update(kind: RecordKind, id: string, body: JsonObject): Promise<unknown> {
    return this.#request(`update ${kind}`, () => {
      const stored = this.records[kind].get(id)
      if (!stored) throw new Error('Not found')
      return this.#store(kind, id, kind === 'dashboards' ? { ...stored, ...body } : body)
    })
  }

  remove(kind: RecordKind, id: string): Promise<unknown> {
    return this.#request(`remove ${kind}`, () => {
      this.records[kind].delete(id)
      if (kind === 'dashboards' || kind === 'savedSearches') this.#removeOrphans()
      return {}
    })
  }

  hold<T>(_kind: RecordKind, _id: string, task: () => Promise<T>): Promise<T> {
    return task()
  }

  isUnknown(error: unknown): boolean {
    return error instanceof Error && error.message === 'lost'
  }

  explain(error: unknown): string {
    return error instanceof Error ? error.message : 'unknown'
  }

  async #request<T>(name: string, answer: () => T): Promise<T> {
    this.requests.push(name)
    this.onRequest(name)
    const result = answer()
    this.onApplied(name)
    return result
  }

  #store(kind: RecordKind, id: string, body: JsonObject): JsonObject {
    const lists = kind === 'dashboards' ? ['tiles', 'filters'] : []
    const withIds = Object.fromEntries(
      lists.flatMap((list) => {
        const items = body[list]
        return Array.isArray(items)
          ? [[list, items.map((item: JsonObject) => ({ ...item, id: item['id'] ?? this.#newId() }))]]
          : []
      }),
    )
    // A null empties a field.
    const fields = Object.entries(copyOf(body)).filter(([, value]) => value !== null)
    const record = { ...Object.fromEntries(fields), ...withIds, id, updatedAt: String(++this.#count) }
    this.records[kind].set(id, record)
    if (kind === 'dashboards') this.#removeOrphans()
    return copyOf(record)
  }

  /** Alerts of tiles and saved searches that are gone (docs/DEPLOYMENTS.md#deletion-and-references). */
  #removeOrphans(): void {
    for (const [id, alert] of this.records.alerts) {
      if (alert['source'] === 'saved_search') {
        if (!this.records.savedSearches.has(String(alert['savedSearchId']))) this.records.alerts.delete(id)
        continue
      }
      const tiles = this.records.dashboards.get(String(alert['dashboardId']))?.['tiles']
      const tile: unknown = Array.isArray(tiles)
        ? tiles.find((jsonObject: JsonObject) => jsonObject['id'] === alert['tileId'])
        : undefined
      const config = isPlainObject(tile) ? tile['config'] : undefined
      if (!isPlainObject(config) || !alertable.includes(String(config['displayType']))) this.records.alerts.delete(id)
    }
  }

  #newId(): string {
    return `${this.#prefix}${String(++this.#count).padStart(6, '0')}`
  }
}

function copyOf<T>(value: T): T {
  // The copy is JSON.
  return JSON.parse(JSON.stringify(value)) as T
}

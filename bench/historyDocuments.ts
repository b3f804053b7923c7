/** Dashboards as people have them, and edits of one tile at a time. The same on every run. */

interface Tile {
  id: string
  name: string
  x: number
  y: number
  w: number
  h: number
  config: Record<string, unknown>
}

export interface DashboardDocument {
  id: string
  name: string
  tags: string[]
  filters: unknown[]
  savedQuery: null
  savedQueryLanguage: null
  tiles: Tile[]
}

const services = ['checkout', 'payments', 'cart', 'catalogue', 'shipping', 'search-api', 'mail', 'accounts', 'gateway']
const routes = ['/orders/{id}', '/cart/items', '/login', '/search', '/products/{sku}', '/invoices', '/webhooks/carrier']
const errors = [
  'timeout',
  'connection reset',
  'out of memory',
  'deadlock detected',
  'invalid signature',
  'rate limited',
]
const measures = [
  'requests',
  'errors',
  'p95 latency',
  'p50 latency',
  'queue length',
  'bytes sent',
  'retries',
  'restarts',
]
const groups = ['ServiceName', "SpanAttributes['http.route']", "ResourceAttributes['k8s.pod.name']", 'SeverityText']
const types = ['line', 'stacked_bar', 'number', 'table', 'pie', 'bar'] as const

/** Numbers that look random, from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export class Documents {
  readonly #random = randomFrom(1)

  dashboard(at: number, tiles: number): DashboardDocument {
    return {
      id: this.#id(),
      name: `${this.#pick(services)} ${this.#pick(['overview', 'latency', 'errors', 'capacity', 'on call'])} ${at}`,
      tags: [`team-${at % 40}`, this.#pick(services)],
      filters: [],
      savedQuery: null,
      savedQueryLanguage: null,
      tiles: Array.from({ length: tiles }, (_, index) => this.#tile(index)),
    }
  }

  /** The next version: one tile changed, in one or two of its fields. */
  edited(dashboard: DashboardDocument): DashboardDocument {
    const at = this.#below(dashboard.tiles.length)
    const tile = dashboard.tiles[at]
    if (!tile) return dashboard
    let next = tile
    while (JSON.stringify(next) === JSON.stringify(tile)) next = this.#editedTile(tile)
    return { ...dashboard, tiles: dashboard.tiles.with(at, next) }
  }

  #editedTile(tile: Tile): Tile {
    const { config } = tile
    switch (this.#below(6)) {
      case 0:
        return { ...tile, name: this.#title() }
      case 1:
        return { ...tile, w: 3 + this.#below(10), h: 2 + this.#below(6) }
      case 2:
        return { ...tile, config: { ...config, groupBy: this.#pick(groups) } }
      case 3:
        return { ...tile, config: { ...config, displayType: this.#pick(types) } }
      default:
        return { ...tile, config: { ...config, select: this.#series() } }
    }
  }

  #tile(at: number): Tile {
    return {
      id: this.#id(),
      name: this.#title(),
      x: (at % 4) * 6,
      y: Math.floor(at / 4) * 4,
      w: 6,
      h: 4,
      config: {
        displayType: this.#pick(types),
        sourceId: `65f0c0ffee00000000000${100 + this.#below(4)}`,
        select: this.#series(),
        groupBy: this.#pick(groups),
        numberFormat: {
          output: this.#pick(['number', 'time', 'byte']),
          mantissa: this.#below(3),
          thousandSeparated: true,
        },
        asRatio: false,
        alignDateRangeToGranularity: true,
        fillNulls: true,
      },
    }
  }

  #series() {
    return Array.from({ length: 1 + Math.sign(this.#below(3)) }, () => this.#oneSeries())
  }

  #oneSeries() {
    const service = this.#pick(services)
    const where = [
      `ServiceName:"${service}"`,
      `SpanAttributes.http.route:"${this.#pick(routes)}"`,
      `NOT Body:"${this.#pick(errors)}"`,
      `Duration:>${10 * this.#below(500)}`,
    ]
    return {
      aggFn: this.#pick(['count', 'quantile', 'avg', 'max', 'sum', 'count_distinct']),
      level: this.#pick([0.5, 0.9, 0.95, 0.99]),
      valueExpression: this.#pick(['Duration / 1e6', 'TraceId', "SpanAttributes['http.response_content_length']"]),
      where: where.slice(this.#below(2)).join(' AND '),
      whereLanguage: 'lucene',
      alias: `${this.#pick(measures)} of ${service}`,
    }
  }

  #title(): string {
    return `${this.#pick(measures)} of ${this.#pick(services)}, ${this.#pick(routes)}`
  }

  #id(): string {
    return Array.from({ length: 24 }, () => this.#below(16).toString(16)).join('')
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#below(values.length)]! // no list is empty
  }
}

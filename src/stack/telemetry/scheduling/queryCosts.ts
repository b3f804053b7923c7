/** How many rows a query will read, by the engine's own estimate, and how long such queries took before. */
import { systemTable } from '../engine/dialect.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/engineError.ts'
import type { Params, ParamValue } from '../engine/params.ts'

/** Up to this number of rows, a query is light. */
const lightRows = 1_000_000
/** A light query that took longer than this is heavy the next time, milliseconds. */
const slow = 3000
/** A heavy one that took less is light, because an index helps it. */
const fast = 150
/** Milliseconds for which an estimate is used for the same query, also with a range that has moved. */
const keptFor = 60_000
const most = 2000
/** The estimate of a query with subqueries runs those. */
const estimateSeconds = 2

export interface QueryCost {
  rows: number
  isHeavy: boolean
}

interface Known {
  cost: QueryCost
  at: number
}

export class QueryCosts {
  readonly #engine: Engine
  readonly #known = new Map<string, Known>()
  #stored: { rows: Promise<number>; at: number } | undefined

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async of(sql: string, params: Params = {}): Promise<QueryCost> {
    const stored = await this.#storedRows()
    if (stored <= lightRows) return { rows: stored, isHeavy: false }
    const shape = shapeOf(sql, params)
    const known = this.#known.get(shape)
    if (known && performance.now() - known.at < keptFor) return known.cost
    const rows = await this.#estimate(sql, params)
    const cost = { rows, isHeavy: known?.cost.isHeavy ?? rows > lightRows }
    // The cost learned from the same query holds as long as it reads about as much.
    const holds = known && rows <= 2 * known.cost.rows && known.cost.rows <= 2 * rows
    return this.#keep(shape, holds ? cost : { rows, isHeavy: rows > lightRows })
  }

  /** @param took milliseconds that the query ran */
  learn(sql: string, params: Params = {}, { rows, isHeavy }: QueryCost, took: number): void {
    if (isHeavy ? took < fast : took > slow) this.#keep(shapeOf(sql, params), { rows, isHeavy: !isHeavy })
  }

  #keep(shape: string, cost: QueryCost): QueryCost {
    this.#known.delete(shape)
    this.#known.set(shape, { cost, at: performance.now() })
    const [oldest] = this.#known.keys()
    if (this.#known.size > most && oldest !== undefined) this.#known.delete(oldest)
    return cost
  }

  /** A query that has no estimate, such as one with an error, ends soon. One whose estimate takes long does not. */
  async #estimate(sql: string, params: Params): Promise<number> {
    try {
      const tables = await this.#engine.query<{ rows: string }>(`EXPLAIN ESTIMATE ${sql}`, {
        params,
        maxSeconds: estimateSeconds,
      })
      return tables.reduce((sum, { rows }) => sum + Number(rows), 0)
    } catch (error) {
      return error instanceof EngineError && error.type === 'TIMEOUT_EXCEEDED' ? 10 * lightRows : 0
    }
  }

  /** Rows of all tables together: where there are few, nothing is heavy. */
  async #storedRows(): Promise<number> {
    const now = performance.now()
    if (!this.#stored || now - this.#stored.at > keptFor / 4) {
      const rows = this.#engine
        .query<{ rows: string | null }>(
          `SELECT sum(rows) AS rows FROM ${systemTable(this.#engine.dialect, 'parts')} WHERE active AND database != 'system'`,
        )
        .then(([row]) => Number(row?.rows ?? 0))
        .catch(() => 0)
      // The first query waits for it; later ones use the last one until the next is there.
      const next = { rows, at: now }
      const last = this.#stored
      this.#stored = last ? { ...last, at: now } : next
      if (last) void rows.then(() => (this.#stored = next))
    }
    return this.#stored.rows
  }
}

/** Milliseconds since 1970 from here on. */
const firstMoment = 1e12

/** Equal for the same query over a range that has moved. */
function shapeOf(sql: string, params: Params): string {
  const isMoment = (value: ParamValue): value is number => typeof value === 'number' && value >= firstMoment
  const moments = Object.values(params).filter(isMoment)
  const last = Math.max(...moments)
  const relative = Object.entries(params).map(([name, value]) => [name, isMoment(value) ? value - last : String(value)])
  return JSON.stringify([sql, relative])
}

/** Tracks when people last used the engine. */
import type { Engine } from './engine.ts'

export interface EngineUse {
  /** The engine for callers whose queries count as use. */
  engine: Engine
  /** Milliseconds since the last query ended, 0 while one runs; Infinity before the first. */
  sinceLastQuery(): number
}

export function watchUse(engine: Engine): EngineUse {
  let last = Number.NEGATIVE_INFINITY
  let underWay = 0
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    underWay++
    try {
      return await work()
    } finally {
      underWay--
      last = performance.now()
    }
  }
  const query: Engine['query'] = (sql, options) => counted(() => engine.query(sql, options))
  const queryTable: Engine['queryTable'] = (sql, options) => counted(() => engine.queryTable(sql, options))
  return {
    engine: { ...engine, query, queryTable },
    sinceLastQuery: () => (underWay > 0 ? 0 : performance.now() - last),
  }
}

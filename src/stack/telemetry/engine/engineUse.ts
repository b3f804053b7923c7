/** Tracks when people last used the engine. */
import type { Engine } from './engine.ts'

export interface EngineUse {
  /** The same engine, for those whose queries count. */
  engine: Engine
  /** Milliseconds since the last query ended, 0 while one runs; Infinity before the first. */
  sinceLastQuery(): number
}

export function watchUse(engine: Engine): EngineUse {
  let last = Number.NEGATIVE_INFINITY
  let underWay = 0
  const query: Engine['query'] = async (sql, options) => {
    underWay++
    try {
      return await engine.query(sql, options)
    } finally {
      underWay--
      last = performance.now()
    }
  }
  return { engine: { ...engine, query }, sinceLastQuery: () => (underWay > 0 ? 0 : performance.now() - last) }
}

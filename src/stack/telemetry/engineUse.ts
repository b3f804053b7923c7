/** When people last asked the engine for something. */
import type { Engine } from './engine.ts'

export interface EngineUse {
  /** The same engine, for those whose queries count. */
  engine: Engine
  /** Milliseconds since the last of their queries ended, 0 while one is under way; Infinity before the first. */
  sinceAsked(): number
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
  return { engine: { ...engine, query }, sinceAsked: () => (underWay > 0 ? 0 : performance.now() - last) }
}

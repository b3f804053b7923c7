/** Remembers results that were read from an engine, for all of its forms: each request has a form of its own, which waits for its turn. */
import type { Engine } from './engine.ts'
import { EngineAborted } from './engineError.ts'

/** Tells engines and their databases apart. */
export type EngineIdentity = Pick<Engine, 'identity' | 'database'>

interface MemoryOptions {
  /** Milliseconds. */
  keepMs: number
  /** Values of an engine. The one that was read first is forgotten first. */
  most?: number
}

interface Entry<T> {
  value: Promise<T>
  until: number
}

/** Returns the remembered value of a key, or reads it. A failed read is repeated by the next caller. */
export type EngineMemory<T> = (engine: EngineIdentity, key: string, read: () => Promise<T>) => Promise<T>

/** One for each kind of value. */
export function engineMemory<T>({ keepMs, most = Infinity }: MemoryOptions): EngineMemory<T> {
  const engines = new WeakMap<object, Map<string, Entry<T>>>()
  return async function remembered(engine, key, read): Promise<T> {
    const entries = engines.get(engine.identity) ?? new Map<string, Entry<T>>()
    engines.set(engine.identity, entries)
    const name = JSON.stringify([engine.database, key])
    const entry = entries.get(name)
    if (entry && performance.now() < entry.until) {
      return entry.value.catch((error: unknown) => {
        // The request that began to read it was cancelled; this one was not.
        if (error instanceof EngineAborted) return remembered(engine, key, read)
        throw error
      })
    }
    const now = performance.now()
    const added = { value: read(), until: now + keepMs }
    entries.delete(name)
    entries.set(name, added)
    added.value.catch(() => entries.get(name) === added && entries.delete(name))
    for (const [old, { until }] of entries) {
      if (until > now && entries.size <= most) break
      entries.delete(old)
    }
    return added.value
  }
}

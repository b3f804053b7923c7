import type { Params, ParamValue } from './engine/params.ts'

/** Binds the values of one statement, so that its SQL only contains placeholders. */
export class Bindings {
  readonly #prefix: string
  readonly #values: Record<string, ParamValue> = {}
  readonly #placeholders = new Map<string, string>()

  /** @param prefix of the names: another one for each part of a statement that is put together */
  constructor(prefix = 'p') {
    this.#prefix = prefix
  }

  /** @param type of the engine: `String`, `Float64`, `Array(String)`. @returns the placeholder; equal values share one */
  bind(value: ParamValue, type: string): string {
    // Texts of a list may contain what its items are joined with.
    const text = typeof value === 'object' ? JSON.stringify(value.map(String)) : String(value)
    const key = `${type} ${typeof value} ${text}`
    const known = this.#placeholders.get(key)
    if (known) return known
    const name = `${this.#prefix}${Object.keys(this.#values).length}`
    const placeholder = `{${name}:${type}}`
    this.#values[name] = value
    this.#placeholders.set(key, placeholder)
    return placeholder
  }

  get params(): Params {
    return this.#values
  }
}

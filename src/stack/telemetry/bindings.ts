import type { Params, ParamValue } from './engine/params.ts'

/** Binds the values of one statement, so that its SQL only contains placeholders. */
export class Bindings {
  readonly #values: Record<string, ParamValue> = {}
  readonly #placeholders = new Map<string, string>()

  /** @param type of the engine: `String`, `Float64`, `Array(String)`. @returns the placeholder; equal values share one */
  bind(value: ParamValue, type: string): string {
    const key = `${type} ${typeof value} ${String(value)}`
    const known = this.#placeholders.get(key)
    if (known) return known
    const name = `p${Object.keys(this.#values).length}`
    const placeholder = `{${name}:${type}}`
    this.#values[name] = value
    this.#placeholders.set(key, placeholder)
    return placeholder
  }

  get params(): Params {
    return this.#values
  }
}

import type { Params, ParamValue } from './params.ts'

/** Collects the values of one statement. A value goes in, its placeholder comes out; the SQL holds placeholders alone. */
export class Bindings {
  readonly #values: Record<string, ParamValue> = {}
  readonly #placeholders = new Map<string, string>()

  /** `type` is the engine's: `String`, `Float64`, `Array(String)`. The same value is bound once. */
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

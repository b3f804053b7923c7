/**
 * JSON as the provider itself writes it, character by character: for any other text it plans an update each time, even if the
 * value is the same. Terraform's `jsonencode` only differs in very small and very large numbers, which it writes with all
 * their zeros and the provider with an exponent. Here such a number is a text, whose quotes are removed afterwards:
 * `replace(jsonencode({ factor = "1e-9" }), "\"1e-9\"", "1e-9")`.
 */
import { isObject } from '../json/json.ts'
import { Call, type HclValue } from './hcl.ts'

/** Numbers with an exponent as texts that the value does not have otherwise. */
export class Exponents {
  private readonly texts = new Set<string>()
  private readonly placeholders = new Map<number, string>()

  /** @param json the value, its numbers as numbers */
  constructor(private readonly json: unknown) {
    this.collect(json)
  }

  /** The value with such numbers as texts. */
  replaced(): unknown {
    return this.replacedIn(this.json)
  }

  /** The JSON text of the value. @param written `replaced()` in Terraform's language */
  encoded(written: HclValue): Call {
    return [...this.placeholders].reduce(
      (call, [number, text]) => new Call('replace', call, JSON.stringify(text), String(number)),
      new Call('jsonencode', written),
    )
  }

  private collect(value: unknown): void {
    if (typeof value === 'string') this.texts.add(value)
    else if (Array.isArray(value)) value.forEach((item) => this.collect(item))
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        this.texts.add(key)
        this.collect(item)
      }
    }
  }

  private replacedIn(value: unknown): unknown {
    if (typeof value === 'number') return String(value).includes('e') ? this.placeholder(value) : value
    if (Array.isArray(value)) return value.map((item) => this.replacedIn(item))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.replacedIn(item)]))
  }

  private placeholder(number: number): string {
    const known = this.placeholders.get(number)
    if (known !== undefined) return known
    let text = String(number)
    while (this.texts.has(text)) text = `${text} `
    this.placeholders.set(number, text)
    return text
  }
}

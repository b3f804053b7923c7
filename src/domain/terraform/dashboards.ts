/** Dashboards: their body as the provider keeps it when it imports one, so that the first plan changes nothing. */
import { isLosslessNumber } from 'lossless-json'
import type { JsonObject } from '../json/json.ts'
import { isPlainObject } from '../json/plainObject.ts'
import { itemsOf } from '../records/directory.ts'
import { referencesOf } from '../records/references.ts'
import type { Description } from './description.ts'
import { type Expression, Call, type HclValue } from './hcl.ts'
import { hclOf, textKey } from './json.ts'

export const describeDashboard: Description = (record, scope) => {
  const body = authored(record)
  const references = new Map<string, string | Expression>()
  for (const { kind, value, path } of referencesOf('dashboards', body, 'id')) {
    if (kind !== 'tiles') references.set(textKey(path, value), scope.idOf(kind, value))
  }
  const exponents = new Exponents(body)
  const written = hclOf(exponents.replaced(), (path, text) => references.get(textKey(path, text)))
  return [['dashboard_json', exponents.encoded(written)]]
}

/** Without what deployments return but refuse in a request, and with numbers as exact as the provider has them. */
function authored(record: JsonObject): JsonObject {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = record
  const filters = itemsOf(record, 'filters').map(({ id: _id, ...filter }) => filter)
  const body = asImported(Array.isArray(rest['filters']) ? { ...rest, filters } : rest)
  return isPlainObject(body) ? body : rest
}

/** Series keep fields of an aggregation that they no longer have: `level` is only for quantiles, a count has no expression. */
function asImported(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asImported)
  if (isLosslessNumber(value)) return Number(value.value)
  if (!isPlainObject(value)) return value
  const { aggFn } = value
  const kept = Object.entries(value).filter(([key]) => {
    if (typeof aggFn !== 'string') return true
    return !(key === 'level' && aggFn !== 'quantile') && !(key === 'valueExpression' && aggFn === 'count')
  })
  return Object.fromEntries(kept.map(([key, item]) => [key, asImported(item)]))
}

/**
 * JSON as the provider itself writes it, character by character: for any other text it plans an update each time, even if the
 * value is the same. Terraform's `jsonencode` only differs in very small and very large numbers, which it writes with all
 * their zeros and the provider with an exponent. Here such a number is a text that the value does not have otherwise, whose
 * quotes are removed afterwards: `replace(jsonencode({ factor = "1e-9" }), "\"1e-9\"", "1e-9")`.
 */
class Exponents {
  readonly #texts = new Set<string>()
  readonly #placeholders = new Map<number, string>()
  readonly #json: unknown

  /** @param json the value, its numbers as numbers */
  constructor(json: unknown) {
    this.#json = json
    this.#collect(json)
  }

  /** The value with such numbers as texts. */
  replaced(): unknown {
    return this.#replacedIn(this.#json)
  }

  /** The JSON text of the value. @param written `replaced()` in Terraform's language */
  encoded(written: HclValue): Call {
    return [...this.#placeholders].reduce(
      (call, [number, text]) => new Call('replace', call, JSON.stringify(text), String(number)),
      new Call('jsonencode', written),
    )
  }

  #collect(value: unknown): void {
    if (typeof value === 'string') this.#texts.add(value)
    else if (Array.isArray(value)) value.forEach((item) => this.#collect(item))
    else if (isPlainObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        this.#texts.add(key)
        this.#collect(item)
      }
    }
  }

  #replacedIn(value: unknown): unknown {
    if (typeof value === 'number') return String(value).includes('e') ? this.#placeholder(value) : value
    if (Array.isArray(value)) return value.map((item) => this.#replacedIn(item))
    if (!isPlainObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#replacedIn(item)]))
  }

  #placeholder(number: number): string {
    const known = this.#placeholders.get(number)
    if (known !== undefined) return known
    let text = String(number)
    while (this.#texts.has(text)) text = `${text} `
    this.#placeholders.set(number, text)
    return text
  }
}

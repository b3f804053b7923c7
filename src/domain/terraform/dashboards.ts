/** Dashboards: their body as the provider keeps it when it imports one, so that the first plan changes nothing. */
import { isLosslessNumber } from 'lossless-json'
import { isObject, type JsonObject } from '../json/json.ts'
import { itemsOf } from '../records/directory.ts'
import { referencesOf } from '../records/references.ts'
import type { Description } from './description.ts'
import type { Expression } from './hcl.ts'
import { Exponents } from './exponents.ts'
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
  return isObject(body) ? body : rest
}

/** Series keep fields of an aggregation that they no longer have: `level` is only for quantiles, a count has no expression. */
function asImported(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asImported)
  if (isLosslessNumber(value)) return Number(value.value)
  if (!isObject(value)) return value
  const { aggFn } = value
  const kept = Object.entries(value).filter(([key]) => {
    if (typeof aggFn !== 'string') return true
    return !(key === 'level' && aggFn !== 'quantile') && !(key === 'valueExpression' && aggFn === 'count')
  })
  return Object.fromEntries(kept.map(([key, item]) => [key, asImported(item)]))
}

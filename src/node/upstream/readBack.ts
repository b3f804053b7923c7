/** Finds out whether a write whose response was lost was applied, by reading the record. */
import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '#contract/index.ts'
import { LosslessNumber } from '#contract/wire/json.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import type { UpstreamResult } from './upstreamReply.ts'
import { ApiFailure } from './apiFailure.ts'
import { readJson } from './untrustedJson.ts'

export type Verdict = 'applied' | 'notApplied' | 'unknown'

export interface LostWrite {
  endpoint: Endpoint
  /** JSON text, as it was sent. */
  body?: string | undefined
  /** Epoch milliseconds. */
  startedAt: number
}

type Fields = Record<string, unknown>

/** How far the deployment's clock may be behind this machine's. */
const clockSkew = 5 * 60_000

/** The resource to read: the written path itself, or (as for `…/scaling`) the item above it. Null if neither can be read. */
export function readBackLocation(endpoint: Endpoint, path: string): { endpoint: Endpoint; path: string } | null {
  const reader = (template: string) =>
    endpoints.find((other) => other.method === 'GET' && other.resource === endpoint.resource && other.path === template)
  const above = (address: string) => address.slice(0, address.lastIndexOf('/'))
  const same = reader(endpoint.path)
  if (same) return { endpoint: same, path }
  const parent = above(endpoint.path).endsWith('}') ? reader(above(endpoint.path)) : undefined
  return parent ? { endpoint: parent, path: above(path) } : null
}

/** @param seen the item or list as it was read, or the error of the read */
export function verdictOf(write: LostWrite, seen: UpstreamResult | Error): Verdict {
  const verdict = judge(write, seen)
  // Services and pipes show a change only after a while (docs/DEPLOYMENTS.md#conventions), so its absence proves nothing.
  return verdict === 'notApplied' && write.endpoint.scope !== 'stack' ? 'unknown' : verdict
}

function judge(write: LostWrite, seen: UpstreamResult | Error): Verdict {
  switch (write.endpoint.method) {
    case 'DELETE':
      return verdictOfDelete(write, seen)
    case 'POST':
      return verdictOfCreate(write, seen)
    default:
      return verdictOfUpdate(write, seen)
  }
}

/** The outcome of the write, in two sentences for people. */
export function verdictMessage(verdict: Verdict): string {
  const sentences: Record<Verdict, string> = {
    applied: 'The response to this change was lost. A check shows that the change was applied.',
    notApplied: 'The response to this change was lost. A check shows that the change was not applied.',
    unknown: 'The response to this change was lost. A check could not determine whether it was applied.',
  }
  return sentences[verdict]
}

function verdictOfDelete({ endpoint }: LostWrite, seen: UpstreamResult | Error): Verdict {
  if (seen instanceof ApiFailure && seen.error.code === 'notFound') return 'applied'
  // Only a path that ends with the item's own id shows that the item still exists.
  return seen instanceof Error || !endpoint.path.endsWith('}') ? 'unknown' : 'notApplied'
}

function verdictOfUpdate({ endpoint, body }: LostWrite, seen: UpstreamResult | Error): Verdict {
  const sent = fieldsOf(body)
  if (seen instanceof Error || !isPlainObject(seen.result) || !sent) return 'unknown'
  // `…/scaling` writes the part of the item with the same name.
  const part = seen.result[endpoint.path.slice(endpoint.path.lastIndexOf('/') + 1)]
  const stored = isPlainObject(part) ? part : seen.result
  const different = Object.keys(sent).filter((key) => !sameValues(sent[key], stored[key]))
  if (different.length === 0) return 'applied'
  // A deployment completes and reorders nested parts, but does not change a plain value that it accepted.
  return different.some((key) => key in stored && isPlain(sent[key]) && isPlain(stored[key])) ? 'notApplied' : 'unknown'
}

function verdictOfCreate({ body, startedAt }: LostWrite, seen: UpstreamResult | Error): Verdict {
  const matches = seen instanceof Error ? null : rowsLike(body, seen.result)
  if (!matches) return 'unknown'
  const dates = matches.map((row) => (typeof row.createdAt === 'string' ? Date.parse(row.createdAt) : Number.NaN))
  if (dates.some((date) => date >= startedAt - clockSkew)) return 'applied'
  // Without a date, a match may be older than the write.
  return dates.some(Number.isNaN) ? 'unknown' : 'notApplied'
}

/** The rows of a list that a creation may have made; null if that cannot be told. */
export function rowsLike(body: string | undefined, rows: unknown): Fields[] | null {
  const sent = fieldsOf(body)
  if (!Array.isArray(rows) || !sent) return null
  const plainKeys = Object.keys(sent).filter((key) => isPlain(sent[key]))
  if (plainKeys.length === 0) return null
  return rows.filter(isPlainObject).filter((row) => {
    const shown = plainKeys.filter((key) => key in row)
    return shown.length > 0 && shown.every((key) => sameValues(sent[key], row[key]))
  })
}

function fieldsOf(body: string | undefined): Fields | null {
  const value = body === undefined ? null : readJson(body)
  return isPlainObject(value) ? value : null
}

const isPlain = (value: unknown) => value == null || typeof value !== 'object' || value instanceof LosslessNumber

/** Deep equality. Absent and null are equal, and so are different spellings of a number. */
function sameValues(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b))
}

function comparable(value: unknown): unknown {
  if (value === undefined) return null
  if (value instanceof LosslessNumber) return Number(value.value)
  if (Array.isArray(value)) return value.map(comparable)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item != null)
      .map(([key, item]) => [key, comparable(item)]),
  )
}

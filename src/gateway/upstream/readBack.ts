/** What became of a write whose answer was lost, judged by reading what is there now. */
import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '#contract/index.ts'
import { LosslessNumber } from '#contract/json.ts'
import type { Endpoint } from '#contract/kernel.ts'
import type { Answer } from './upstreamReply.ts'
import { GatewayError } from '../http/errors.ts'
import { readJson } from '../http/json.ts'

export type Verdict = 'applied' | 'notApplied' | 'unknown'

export interface LostWrite {
  endpoint: Endpoint
  /** JSON text, as it was sent. */
  body?: string | undefined
  /** Epoch milliseconds. */
  startedAt: number
}

type Fields = Record<string, unknown>

/** How far the deployment's clock may be behind ours. */
const clockSkew = 5 * 60_000

/** Where to look: the written address itself, or (as for `…/scaling`) the item above it. Null where nothing is read. */
export function placeOf(endpoint: Endpoint, path: string): { endpoint: Endpoint; path: string } | null {
  const reader = (template: string) =>
    endpoints.find((other) => other.method === 'GET' && other.resource === endpoint.resource && other.path === template)
  const above = (address: string) => address.slice(0, address.lastIndexOf('/'))
  const same = reader(endpoint.path)
  if (same) return { endpoint: same, path }
  const parent = above(endpoint.path).endsWith('}') ? reader(above(endpoint.path)) : undefined
  return parent ? { endpoint: parent, path: above(path) } : null
}

/** `seen` is what the item's or the list's own address answers, or the error that it gave. */
export function verdictOf(write: LostWrite, seen: Answer | Error): Verdict {
  const verdict = judged(write, seen)
  // Services and pipes show a change only after a while (managed reference 1): that it is not there yet tells nothing.
  return verdict === 'notApplied' && write.endpoint.scope !== 'stack' ? 'unknown' : verdict
}

function judged(write: LostWrite, seen: Answer | Error): Verdict {
  switch (write.endpoint.method) {
    case 'DELETE':
      return deleted(write, seen)
    case 'POST':
      return created(write, seen)
    default:
      return updated(write, seen)
  }
}

/** For the person: what is known, in one sentence. */
export function formatVerdict(verdict: Verdict): string {
  const sentences: Record<Verdict, string> = {
    applied: 'The answer to this change was lost. A second look shows that it was applied.',
    notApplied: 'The answer to this change was lost. A second look shows that it was not applied.',
    unknown: 'The answer to this change was lost, and a second look could not tell whether it was applied.',
  }
  return sentences[verdict]
}

function deleted({ endpoint }: LostWrite, seen: Answer | Error): Verdict {
  if (seen instanceof GatewayError && seen.error.code === 'notFound') return 'applied'
  // Only an address that ends in the item's own id says that the item is still there.
  return seen instanceof Error || !endpoint.path.endsWith('}') ? 'unknown' : 'notApplied'
}

function updated({ endpoint, body }: LostWrite, seen: Answer | Error): Verdict {
  const sent = fieldsOf(body)
  if (seen instanceof Error || !isFields(seen.result) || !sent) return 'unknown'
  // `…/scaling` writes the part of the item that bears its name.
  const part = seen.result[endpoint.path.slice(endpoint.path.lastIndexOf('/') + 1)]
  const there = isFields(part) ? part : seen.result
  const different = Object.keys(sent).filter((key) => !same(sent[key], there[key]))
  if (different.length === 0) return 'applied'
  // A deployment fills in and reorders nested parts; it does not change a plain value that it accepted.
  return different.some((key) => key in there && isPlain(sent[key]) && isPlain(there[key])) ? 'notApplied' : 'unknown'
}

function created({ body, startedAt }: LostWrite, seen: Answer | Error): Verdict {
  const sent = fieldsOf(body)
  if (seen instanceof Error || !Array.isArray(seen.result) || !sent) return 'unknown'
  const telling = Object.keys(sent).filter((key) => isPlain(sent[key]))
  if (telling.length === 0) return 'unknown'
  const twins = seen.result.filter(isFields).filter((row) => {
    const shown = telling.filter((key) => key in row)
    return shown.length > 0 && shown.every((key) => same(sent[key], row[key]))
  })
  const dates = twins.map((row) => (typeof row.createdAt === 'string' ? Date.parse(row.createdAt) : Number.NaN))
  if (dates.some((date) => date >= startedAt - clockSkew)) return 'applied'
  // Without a date, a twin may be older than the write.
  return dates.some(Number.isNaN) ? 'unknown' : 'notApplied'
}

function fieldsOf(body: string | undefined): Fields | null {
  const value = body === undefined ? null : readJson(body)
  return isFields(value) ? value : null
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof LosslessNumber)
}

const isPlain = (value: unknown) => value == null || typeof value !== 'object' || value instanceof LosslessNumber

/** Equal, where absent and null are the same and a number is one however it is spelled. */
function same(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b))
}

function comparable(value: unknown): unknown {
  if (value === undefined) return null
  if (value instanceof LosslessNumber) return Number(value.value)
  if (Array.isArray(value)) return value.map(comparable)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item != null)
      .map(([key, item]) => [key, comparable(item)]),
  )
}

/** The first reads of a page, which are sent inside its document. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgetHeaders, consoleHeader, priorityHeader } from '#contract/gatewayWire.ts'
import { asAttribute } from './htmlText.ts'
import type { PageRead } from './pageManifest.ts'

/** Milliseconds that a document waits for its reads. The page sends what is missing itself. */
export const defaultReadDeadline = 2_000
/** Milliseconds that a read goes on after the deadline, so that the page's own request joins it. */
const joinPeriod = 5_000

/**
 * Whether a request opens a page for a person. Other sites, prefetches and embedded resources start no reads, because
 * reads count against the rate limit of a key. Browsers send these headers over https and on the same machine.
 */
export function opensPage({ method, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return (
    method === 'GET' &&
    (site === 'none' || site === 'same-origin') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers['sec-purpose'] === undefined &&
    headers.purpose === undefined
  )
}

/**
 * Yields the start of a document, then each read as it arrives, then the end. Reads start once the start is on its way.
 * None of them can delay the end beyond the deadline.
 */
export async function* documentWithReads(
  app: FastifyInstance,
  request: FastifyRequest,
  { start, reads, end }: { start: string; reads: readonly PageRead[]; end: string },
  deadline: number,
): AsyncGenerator<string> {
  yield start
  const stopped = new AbortController()
  const pending = new Map(reads.map((one) => [one.path, read(app, request, one, stopped.signal)]))
  const late = sleep(deadline, null, { signal: stopped.signal }).catch(() => null)
  let isComplete = false
  try {
    while (pending.size > 0) {
      const arrived = await Promise.race([...pending.values(), late])
      if (arrived === null) break
      pending.delete(arrived.path)
      yield arrived.block
    }
    yield end
    isComplete = true
  } finally {
    if (isComplete && pending.size > 0) setTimeout(() => stopped.abort(), joinPeriod).unref()
    // The browser has disconnected, or everything has arrived.
    else stopped.abort()
  }
}

/** The console's own request, as the page would send it: same checks, masks, revisions, errors and rate limit. */
async function read(
  app: FastifyInstance,
  { headers, ip }: FastifyRequest,
  { path, priority }: PageRead,
  signal: AbortSignal,
) {
  try {
    const response = await app.inject({
      method: 'GET',
      url: path,
      remoteAddress: ip,
      headers: {
        cookie: headers.cookie ?? '',
        host: headers.host ?? '',
        [consoleHeader]: '1',
        [priorityHeader]: priority,
      },
      signal,
    })
    return { path, block: block(path, response.statusCode, response.headers, response.payload) }
  } catch {
    // Aborted, and nobody is waiting. The page would send the request itself.
    return { path, block: '' }
  }
}

/** An inert script with a response. `<` only occurs in strings of JSON: escaped, no text can end the script. */
function block(path: string, status: number, headers: Record<string, unknown>, json: string): string {
  const budget = Object.values(budgetHeaders).flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  )
  const attributes = `data-read="${asAttribute(path)}" data-status="${status}" data-headers="${asAttribute(JSON.stringify(budget))}"`
  // The line break after it tells the page that the script is complete.
  return `<script type="application/json" ${attributes}>${json.replaceAll('<', '\\u003c')}</script>\n`
}

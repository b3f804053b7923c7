/**
 * The first reads of a page, which are sent inside its document.
 *
 * The gateway sends the start of the document at once: the session, the connections of the person, and the names of all
 * scripts. Then it calls its own routes for the reads of the page and streams each response into the document as an inert
 * script, from where `console/api/document` takes it: the same envelope, errors, masks and rate limit as a request of the
 * page. A read that takes longer than the deadline is left to the page, whose own request joins the one that is under way.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { budgetHeaders, consoleHeader, priorityHeader } from '#contract/wire/gatewayWire.ts'
import { asAttribute } from './htmlText.ts'
import type { PageRead } from './pageManifest.ts'

/** Milliseconds that a document waits for its reads. The page sends what is missing itself. */
export const defaultReadDeadline = 2_000
/** Milliseconds that a read goes on after the deadline, so that the page's own request joins it. */
const joinPeriod = 5_000

/**
 * Whether a request opens a page for a person. Other sites, prefetches and embedded resources start no reads, because
 * reads count against the rate limit of a key.
 */
export function opensPage({ method, headers }: FastifyRequest): boolean {
  const isPrefetch = headers['sec-purpose'] !== undefined || headers.purpose !== undefined
  return method === 'GET' && !isPrefetch && (fetchMetadata(headers) ?? looksLikeNavigation(headers))
}

type Headers = FastifyRequest['headers']

/** The browser's metadata about the request; null if it says nothing. Browsers do over https and on the same machine. */
function fetchMetadata(headers: Headers): boolean | null {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers
  if (site === undefined && mode === undefined && dest === undefined) return null
  return (site === 'none' || site === 'same-origin') && mode === 'navigate' && dest === 'document'
}

/**
 * The rule for plain http over a network, where browsers send no fetch metadata; none can leave it out where it is sent.
 * Images, styles and scripts do not accept HTML, and a script of another origin cannot set `upgrade-insecure-requests`
 * without a preflight, which is refused. The session cookie is `SameSite=Strict`, so other sites never get this far.
 * The remaining case is a frame in a page on another port of this host. It cannot show or read the document (`X-Frame-Options`,
 * `frame-ancestors`, `Cross-Origin-Resource-Policy`, `nosniff`), and starts no more than a window that it opens.
 * A referrer is that of another origin, because this one sends none.
 */
function looksLikeNavigation({ accept = '', referer, 'upgrade-insecure-requests': upgrade }: Headers): boolean {
  return upgrade === '1' && /\btext\/html\b/.test(accept) && referer === undefined
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
): AsyncGenerator<string | Buffer> {
  yield start
  const stopped = new AbortController()
  const pending = new Map(reads.map((pageRead) => [pageRead.path, read(app, request, pageRead, stopped.signal)]))
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
export async function read(
  app: FastifyInstance,
  { headers, ip, proof, raw }: FastifyRequest,
  { path, priority }: PageRead,
  signal?: AbortSignal,
) {
  try {
    const response = await app.inject({
      method: 'GET',
      url: path,
      // As the document came: a proxy that names the person must be the sender of this request, too.
      remoteAddress: raw.socket.remoteAddress ?? ip,
      headers: {
        ...proof,
        ...(raw.socket.remoteAddress !== ip && { 'x-forwarded-for': ip }),
        host: headers.host ?? '',
        [consoleHeader]: '1',
        [priorityHeader]: priority,
      },
      ...(signal && { signal }),
    })
    return { path, block: block(path, response.statusCode, response.headers, response.rawPayload) }
  } catch {
    // Aborted, and nobody is waiting. The page would send the request itself.
    return { path, block: '' }
  }
}

/** An inert script with a response. `<` only occurs in strings of JSON: escaped, no text can end the script. */
function block(path: string, status: number, headers: Record<string, unknown>, json: Buffer): Buffer {
  const budget = Object.values(budgetHeaders).flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  )
  const attributes = `data-read="${asAttribute(path)}" data-status="${status}" data-headers="${asAttribute(JSON.stringify(budget))}"`
  const safe = json.includes('<') ? Buffer.from(json.toString().replaceAll('<', '\\u003c')) : json
  // The line break after it tells the page that the script is complete.
  return Buffer.concat([
    Buffer.from(`<script type="application/json" ${attributes}>`),
    safe,
    Buffer.from('</script>\n'),
  ])
}

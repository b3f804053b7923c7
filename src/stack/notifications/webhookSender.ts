/** Sends one request to a webhook: docs/DEPLOYMENTS.md#notifications. */
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { WebhookDocument } from '../documents/webhookRows.ts'
import { firstAddress } from '../net/reachableHosts.ts'
import type { WebhookGuard } from '../net/webhookAddress.ts'
import { plainHost } from '#node/net/addresses.ts'
import { sentAt } from '#node/upstream/rateHeaders.ts'
import type { SendResult } from '../alerting/deliveryRows.ts'
import { shownAnswer } from '../alerting/shownWebhook.ts'

/** The fields of a webhook that a request is made of. */
export type Receiver = Pick<WebhookDocument, 'service' | 'url' | 'body' | 'headers' | 'queryParams'>

export type SendWebhook = (
  receiver: Receiver,
  payload: string,
  idempotencyKey: string,
  signal?: AbortSignal,
) => Promise<SendResult>

interface SenderOptions {
  guard: WebhookGuard
  /** Milliseconds that one request may take. Default 30 s. */
  timeout?: number
}

/** Bytes of an answer that are read. */
const maxAnswer = 16 * 1024
const maxRetryAfter = 15 * 60_000

export function createSender({ guard, timeout = 30_000 }: SenderOptions): SendWebhook {
  return async (receiver, payload, idempotencyKey, signal) => {
    const started = performance.now()
    const result = await send(receiver, payload, idempotencyKey, signal)
    return { ...result, duration: Math.round(performance.now() - started) }
  }

  async function send(
    receiver: Receiver,
    payload: string,
    idempotencyKey: string,
    signal: AbortSignal | undefined,
  ): Promise<Omit<SendResult, 'duration'>> {
    const deadline = AbortSignal.timeout(timeout)
    const checked = await guard(receiver.url, receiver.service)
    if (checked.problem !== null) return { outcome: 'failed', reason: checked.problem }
    const address = firstAddress(checked.addresses)
    if (address === undefined) return { outcome: 'retry', reason: 'The host name cannot be resolved.' }
    try {
      const stop = signal ? AbortSignal.any([deadline, signal]) : deadline
      const { status, retryAfter, text } = await post(receiver, payload, idempotencyKey, address, stop)
      return { ...verdictOf(status), status, ...retryAfter, answer: shownAnswer(text, receiver) }
    } catch (error) {
      if (deadline.aborted) return timedOut(receiver.service, timeout)
      return networkFailure(receiver.service, error)
    }
  }
}

function verdictOf(status: number): Pick<SendResult, 'outcome' | 'reason'> {
  if (status >= 200 && status < 300) return { outcome: 'delivered', reason: `The receiver answered ${status}.` }
  if (status >= 300 && status < 400) {
    return { outcome: 'failed', reason: `The receiver answered ${status}. Redirects are not followed.` }
  }
  // A request to Slack has no idempotency key, but an error says that nothing was posted.
  const again = status === 429 || status >= 500
  return { outcome: again ? 'retry' : 'failed', reason: `The receiver answered ${status}.` }
}

/** The receiver may have acted. Only an idempotency key, which Slack does not know, makes a second request safe. */
function timedOut(service: string, timeout: number): Omit<SendResult, 'duration'> {
  return {
    outcome: service === 'slack' ? 'failed' : 'retry',
    reason: `The receiver did not answer within ${timeout / 1000} s.`,
  }
}

/** Errors before anything was sent. */
const notConnected: Record<string, string> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  EHOSTUNREACH: 'The receiver is unreachable.',
  ENETUNREACH: 'The receiver is unreachable.',
}

/** The text names no address: it may be secret. */
function networkFailure(service: string, error: unknown): Omit<SendResult, 'duration'> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const known = notConnected[code]
  if (known) return { outcome: 'retry', reason: known }
  if (/CERT|TLS|SSL|SELF_SIGNED|ALTNAME/.test(code)) {
    return { outcome: 'retry', reason: `The receiver's certificate cannot be verified (${code}).` }
  }
  const reason = `The connection to the receiver failed (${code}).`
  return { outcome: service === 'slack' ? 'failed' : 'retry', reason }
}

interface Answer {
  status: number
  retryAfter: { retryAfter?: number }
  text: string
}

function post(
  { service, url, headers = {}, queryParams = {} }: Receiver,
  payload: string,
  idempotencyKey: string,
  address: string,
  signal: AbortSignal,
): Promise<Answer> {
  const target = new URL(url)
  for (const [name, value] of Object.entries(queryParams)) target.searchParams.append(name, value)
  const body = Buffer.from(payload)
  const options: RequestOptions = {
    method: 'POST',
    headers: {
      ...requestHeaders(service === 'slack' ? {} : headers, service === 'slack' ? null : idempotencyKey),
      'content-length': body.length,
    },
    agent: false,
    signal,
    // The address that was checked, whatever the name leads to by now.
    lookup: pinned(address),
  }
  if (plainHost(target.hostname) === address) delete options.lookup
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = send(target, options, (incoming) => {
      readStart(incoming).then((text) => {
        outgoing.destroy()
        resolve({ status: incoming.statusCode ?? 0, retryAfter: retryAfterOf(incoming), text })
      }, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function pinned(address: string): LookupFunction {
  const family = address.includes(':') ? 6 : 4
  return (_, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family))
}

/** Headers that belong to the connection. A webhook cannot set them. */
const connectionHeaders =
  /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*|idempotency-key)$/i

function requestHeaders(own: Record<string, string>, idempotencyKey: string | null): Record<string, string> {
  const allowed = Object.entries(own).filter(([name]) => !connectionHeaders.test(name))
  const hasType = allowed.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    ...(!hasType && { 'Content-Type': 'application/json' }),
    ...Object.fromEntries(allowed),
    ...(idempotencyKey !== null && { 'Idempotency-Key': idempotencyKey }),
  }
}

/** The beginning of the answer. A long one is not read to its end. */
async function readStart(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of incoming) {
    const bytes: Buffer = part
    parts.push(bytes)
    length += bytes.length
    if (length >= maxAnswer) break
  }
  return Buffer.concat(parts).subarray(0, maxAnswer).toString('utf8')
}

/** `Retry-After` as seconds or as a date. */
function retryAfterOf({ headers }: IncomingMessage): { retryAfter?: number } {
  const value = headers['retry-after']
  if (value === undefined) return {}
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - sentAt(headers)
  return Number.isFinite(wait) && wait > 0 ? { retryAfter: Math.min(wait, maxRetryAfter) } : {}
}

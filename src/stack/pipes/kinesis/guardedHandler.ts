/**
 * Sends the requests of the AWS client over the guarded HTTP client of pipes, and bounds what a server may respond with: the
 * client reads a response into memory, and allocates as much as an event announces.
 */
import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'

/** The client warns of a future version that needs a newer Node. This one is pinned. */
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'

/** Bytes of one response. GetRecords returns at most 10 MiB of records, in base64. */
const maxResponseBytes = 24 * 1024 ** 2

/** A request of the AWS client, as far as those of Kinesis go. */
interface SentRequest {
  protocol: string
  hostname: string
  port?: number
  path: string
  method: Dispatcher.HttpMethod
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** The part of the AWS client that sends requests. */
export function guardedHandler(agent: Agent) {
  return {
    async handle(request: SentRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { protocol, hostname, port, path, method, headers, body } = request
      const reply = await agent.request({
        origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
        path,
        method,
        headers,
        body: body ?? null,
        signal: abortSignal ?? null,
      })
      const isStream = String(reply.headers['content-type']).startsWith('application/vnd.amazon.eventstream')
      const bounded = isStream ? boundedEvents(reply.body) : boundedBytes(reply.body)
      return {
        response: {
          statusCode: reply.statusCode,
          headers: Object.fromEntries(
            Object.entries(reply.headers).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, String(value)] as const],
            ),
          ),
          body: Readable.from(bounded, { objectMode: false }),
        },
      }
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  }
}

/** A response that is longer than any that Kinesis sends. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

async function* boundedBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const part of body) {
    bytes += part.byteLength
    if (bytes > maxResponseBytes) throw new TooLong(`a response has more than ${maxResponseBytes} bytes`)
    yield part
  }
}

/** Passes a stream of events, each of which begins with its length, as long as no event is too long. */
export async function* boundedEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  /** Bytes of the current event that are still to come; the length itself while it is incomplete. */
  let left = 0
  let length: number[] = []
  for await (const part of body) {
    for (let at = 0; at < part.byteLength;) {
      if (left > 0) {
        const step = Math.min(left, part.byteLength - at)
        left -= step
        at += step
        continue
      }
      length.push(part[at++] ?? 0)
      if (length.length < 4) continue
      const total = Buffer.from(length).readUInt32BE()
      if (total > maxResponseBytes) throw new TooLong(`an event announces ${total} bytes`)
      left = Math.max(0, total - 4)
      length = []
    }
    yield part
  }
}

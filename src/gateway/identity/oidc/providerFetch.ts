/** Requests to a provider: through the egress guard, without redirects, and with a limit for the response. */
import { request } from 'undici'
import type { Egress } from '#node/upstream/egressGuard.ts'

/** Bytes of one response. */
const maxBytes = 1024 * 1024

interface ProviderRequest {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** A response was larger than any of a provider. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

/** @param allowPrivate whether the provider may be on this machine or in a private network */
export function providerFetch(egress: Egress, allowPrivate: boolean) {
  return async (url: string, { method, headers, body, signal }: ProviderRequest): Promise<Response> => {
    const isForm = body instanceof URLSearchParams
    const response = await request(url, {
      // Headers that openid-client and jose send.
      method: method as 'GET' | 'POST',
      headers: { ...(isForm && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }), ...headers },
      dispatcher: egress.agent(allowPrivate),
      ...(signal && { signal }),
      ...(isForm || typeof body === 'string' ? { body: String(body) } : {}),
    })
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of response.body as AsyncIterable<Buffer>) {
      size += piece.byteLength
      if (size > maxBytes) throw new TooLarge('The response is larger than 1 MB.')
      pieces.push(piece)
    }
    const { statusCode: status } = response
    const received = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    )
    // Responses of these kinds must not have a body.
    const content = [204, 205, 304].includes(status) ? null : Buffer.concat(pieces)
    return new Response(content, { status, headers: received })
  }
}

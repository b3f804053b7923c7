/** Messages of the Model Context Protocol over HTTP: JSON-RPC, as JSON or as a stream of events. */
import { z } from 'zod'
import { failure } from '#node/upstream/apiFailure.ts'
import { countValues, MalformedJson, readJson } from '#node/upstream/untrustedJson.ts'
import { maxReplyValues } from '#node/upstream/upstreamReply.ts'
import type { RawReply } from '#node/upstream/upstream.ts'

const rpcError = z.looseObject({ code: z.number(), message: z.string() })

const rpcResponse = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]),
  result: z.looseObject({}).optional(),
  error: rpcError.optional(),
})

export interface RpcOutcome {
  result?: Record<string, unknown> | undefined
  error?: { code: number; message: string } | undefined
}

/** The text of a request; without an ID, of a notification. */
export const rpcMessage = (method: string, params: object, id?: number): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params })

/**
 * The response to the request of an ID; null if the body has none, as a web page. What a server sends beside it, such as
 * progress and requests of its own, is left out.
 * @throws ApiFailure `tooLarge`
 */
export function rpcOutcome(reply: Pick<RawReply, 'headers' | 'text'>, id: number): RpcOutcome | null {
  const type = String(reply.headers['content-type'] ?? '')
  const texts = /^text\/event-stream\b/i.test(type) ? eventData(reply.text) : [reply.text]
  for (const text of texts) {
    const response = rpcResponse.safeParse(parsedOrUndefined(text)).data
    if (response?.id === id && (response.result ?? response.error) !== undefined) return response
  }
  return null
}

/** Parses text of a deployment; undefined if it is not JSON. @throws ApiFailure `tooLarge` */
export function parsedOrUndefined(text: string): unknown {
  if (countValues(text) > maxReplyValues) {
    throw failure('tooLarge', 'The response of the deployment’s MCP endpoint has too many JSON values.', {
      status: 502,
    })
  }
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof MalformedJson) return undefined
    throw error
  }
}

/** The data of the events of a stream. */
function eventData(text: string): string[] {
  return text.split(/\r\n\r\n|\n\n|\r\r/).flatMap((event) => {
    const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'))
    return lines.length === 0 ? [] : [lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n')]
  })
}

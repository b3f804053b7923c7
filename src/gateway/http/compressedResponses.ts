/** Compresses what the page reads: the points of a chart get to a tenth, which matters wherever the browser is on another machine. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const zip = promisify(gzip)

/** Characters. Less arrives in as many packets compressed or not. */
const worthwhile = 4_096
/** The compression level, as for documents: 200 KB of points take a millisecond. */
const level = 5

/**
 * A hook `onSend` for routes that only read. The length of a response tells an attacker nothing here: other sites cannot send
 * these requests, which need a header of the console and a cookie that is `SameSite=Strict`.
 */
export async function compressResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < worthwhile) return payload
  void reply.header('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
  void reply.header('content-encoding', 'gzip')
  return zip(payload, { level })
}

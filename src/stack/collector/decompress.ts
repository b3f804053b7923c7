/** Decompresses bodies: gzip, deflate or identity. */
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createInflate } from 'node:zlib'
import type { Ticket } from './admission.ts'
import { Refused } from './refusedExport.ts'

const decoders: Record<string, typeof createGunzip> = { gzip: createGunzip, deflate: createInflate }

/** Throws `Refused` for an unsupported encoding. */
export function checkEncoding(contentEncoding: string | undefined): void {
  const encoding = contentEncoding?.toLowerCase() ?? 'identity'
  if (encoding === 'identity' || Object.hasOwn(decoders, encoding)) return
  throw new Refused('wrongMediaType', 'content-encoding must be gzip, deflate or identity')
}

/** Decompresses, and stops as soon as the result would exceed the limit or the capacity of the collector. */
export async function decompress(
  body: Buffer,
  contentEncoding: string | undefined,
  limit: number,
  ticket: Ticket,
): Promise<Buffer> {
  const createDecoder = decoders[contentEncoding?.toLowerCase() ?? '']
  if (!createDecoder) return body
  const chunks: Buffer[] = []
  let size = 0
  try {
    // The callback is not needed: an error ends the iteration below as well.
    const decoder = pipeline(Readable.from([body]), createDecoder({ chunkSize: 64 * 1024 }), () => undefined)
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      ticket.grow(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused('malformed', `the body is not ${contentEncoding}`)
  }
  return Buffer.concat(chunks, size)
}

export function tooLarge(limit: number): Refused {
  return new Refused('tooLarge', `a request may have at most ${limit} decompressed bytes. Send smaller batches`)
}

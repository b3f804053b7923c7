/** Formats that Node decompresses, as streams that stop as soon as there is no room for more. */
import { pipeline, Readable, type Transform } from 'node:stream'
import type zlib from 'node:zlib'
import { damaged, largerThan, NotDecompressible, type TakeRoom } from './notDecompressible.ts'

/** Errors of Node that say that compressed data is damaged. */
const dataError = /^(Z|ZSTD)_/

/** Rejects with `NotDecompressible`, or with the error of `takeRoom`. */
export async function unpackByStream(data: Buffer, decoder: Transform, takeRoom: TakeRoom): Promise<Buffer> {
  const chunks: Buffer[] = []
  // The callback is not needed: an error ends the iteration below as well.
  const output = pipeline(Readable.from([data], { objectMode: false }), decoder, () => undefined)
  try {
    // Without an encoding, a stream of bytes gives buffers.
    for await (const chunk of output as AsyncIterable<Buffer>) {
      takeRoom(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && dataError.test(String(error.code))) return damaged(error)
    throw error
  }
  return Buffer.concat(chunks)
}

/** @throws NotDecompressible if the data is damaged, or larger than the limit when decompressed */
export function unpackAtOnce(unpack: typeof zlib.gunzipSync, data: Buffer, maxBytes: number): Buffer {
  try {
    return unpack(data, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw largerThan(maxBytes)
    throw new NotDecompressible('the compressed data is damaged', { cause: error })
  }
}

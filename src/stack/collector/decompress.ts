/** Decompresses requests, with the encodings of the OpenTelemetry Collector. */
import { createGunzip, createInflate } from 'node:zlib'
import { unpackLz4 } from '../compression/lz4.ts'
import { NotDecompressible, type TakeRoom } from '../compression/notDecompressible.ts'
import { isFramedSnappy, unpackSnappyBlock, unpackSnappyFrames } from '../compression/snappy.ts'
import { unpackByStream } from '../compression/zlibFormats.ts'
import { unpackZstd } from '../compression/zstd.ts'
import type { Ticket } from './admission.ts'
import { Refused } from './refusedExport.ts'

type Decoder = (body: Buffer, takeRoom: TakeRoom) => Buffer | Promise<Buffer>

const chunkSize = 64 * 1024
const inflate: Decoder = (body, takeRoom) => unpackByStream(body, createInflate({ chunkSize }), takeRoom)

const decoders: Readonly<Record<string, Decoder>> = {
  identity: (body) => body,
  gzip: (body, takeRoom) => unpackByStream(body, createGunzip({ chunkSize }), takeRoom),
  // Both names mean the format of zlib.
  deflate: inflate,
  zlib: inflate,
  zstd: unpackZstd,
  // A block over HTTP; framed over gRPC, and over HTTP from earlier collectors.
  snappy: (body, takeRoom) => (isFramedSnappy(body) ? unpackSnappyFrames : unpackSnappyBlock)(body, takeRoom),
  'x-snappy-framed': unpackSnappyFrames,
  lz4: unpackLz4,
}

/** The names of the encodings that are decompressed. */
export const encodings: readonly string[] = Object.keys(decoders)

/** The name of an encoding as `decompress` knows it; undefined if it is unknown. */
export function knownEncoding(name: string | undefined): string | undefined {
  const encoding = name?.trim().toLowerCase() || 'identity'
  return Object.hasOwn(decoders, encoding) ? encoding : undefined
}

/**
 * Decompresses, and stops as soon as the result would exceed the limit or the capacity of the collector. Rejects with
 * `Refused`.
 * @param encoding one of `encodings`
 */
export async function decompress(body: Buffer, encoding: string, limit: number, ticket: Ticket): Promise<Buffer> {
  const decoder = decoders[encoding]
  if (!decoder || encoding === 'identity') return body
  let size = 0
  const takeRoom = (bytes: number) => {
    size += bytes
    if (size > limit) throw tooLarge(limit)
    ticket.grow(bytes)
  }
  try {
    return await decoder(body, takeRoom)
  } catch (error) {
    if (error instanceof NotDecompressible)
      throw new Refused('malformed', `the body is not ${encoding}: ${error.message}`)
    throw error
  }
}

export function tooLarge(limit: number): Refused {
  return new Refused('tooLarge', `a request may have at most ${limit} decompressed bytes. Send smaller batches`)
}

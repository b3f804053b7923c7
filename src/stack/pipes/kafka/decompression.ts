/** Decompresses record batches, never beyond a limit: a few bytes may claim to be very many. */
import zlib from 'node:zlib'
import { Decompress } from 'fzstd'
import { decompressFrameSync } from 'lz4-napi'
import { uncompressSync } from 'snappy'

/** Data that cannot be decompressed, or only beyond the limit. */
export class NotDecompressible extends Error {
  override name = 'NotDecompressible'
}

/** @param codec the number of the compression in the attributes of a batch */
export function decompress(codec: number, data: Buffer, maxBytes: number): Buffer {
  const decoder = decoders[codec]
  if (!decoder) throw new NotDecompressible(`the compression ${codec} is unknown`)
  try {
    return decoder(data, maxBytes)
  } catch (error) {
    if (error instanceof NotDecompressible) throw error
    if (error instanceof RangeError) throw tooLarge(maxBytes)
    throw new NotDecompressible('the compressed data is damaged', { cause: error })
  }
}

type Decoder = (data: Buffer, maxBytes: number) => Buffer

const decoders: readonly Decoder[] = [
  (data) => data,
  (data, maxOutputLength) => zlib.gunzipSync(data, { maxOutputLength }),
  unpackSnappy,
  unpackLz4,
  unpackZstd,
]

function tooLarge(maxBytes: number): NotDecompressible {
  return new NotDecompressible(`it is larger than ${Math.round(maxBytes / 1024 ** 2)} MiB when decompressed`)
}

function refuseBeyond(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw tooLarge(maxBytes)
}

/** Java clients write a header and blocks with a length each; others write one block. */
const snappyMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const snappyHeaderBytes = 16

function unpackSnappy(data: Buffer, maxBytes: number): Buffer {
  if (!data.subarray(0, snappyMagic.length).equals(snappyMagic)) return unpackSnappyBlock(data, maxBytes)
  const blocks: Buffer[] = []
  let left = maxBytes
  for (let at = snappyHeaderBytes; at < data.length;) {
    const end = at + 4 + data.readUInt32BE(at)
    const block = unpackSnappyBlock(data.subarray(at + 4, end), left)
    blocks.push(block)
    left -= block.length
    at = end
  }
  return Buffer.concat(blocks)
}

function unpackSnappyBlock(block: Buffer, maxBytes: number): Buffer {
  // A block begins with its length, as a varint.
  let claimed = 0
  for (let at = 0; at < 5; at++) {
    const byte = block[at] ?? 0
    claimed += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) break
  }
  refuseBeyond(claimed, maxBytes)
  return Buffer.from(uncompressSync(block))
}

/** The largest block by the number in the header of a frame. */
const lz4BlockBytes: Record<number, number> = { 4: 2 ** 16, 5: 2 ** 18, 6: 2 ** 20, 7: 2 ** 22 }

function unpackLz4(data: Buffer, maxBytes: number): Buffer {
  const flags = data.readUInt8(4)
  const most = lz4BlockBytes[(data.readUInt8(5) >> 4) & 7] ?? 2 ** 22
  const blockChecksum = flags & 0b1_0000 ? 4 : 0
  let largest = 0
  for (let at = 7 + (flags & 0b1000 ? 8 : 0); at + 4 <= data.length;) {
    const header = data.readUInt32LE(at)
    if (header === 0) break
    const bytes = header & 0x7fff_ffff
    // No block expands more than 255 times.
    largest += Math.min(most, header >= 2 ** 31 ? bytes : bytes * 255)
    // The last block may be a small one.
    if (largest > maxBytes + most) throw tooLarge(maxBytes)
    at += 4 + bytes + blockChecksum
  }
  const unpacked = decompressFrameSync(data)
  refuseBeyond(unpacked.length, maxBytes)
  return unpacked
}

// Since Node 22.15; the types are those of Node 20.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (data: Buffer, options: zlib.ZlibOptions) => Buffer }

function unpackZstd(data: Buffer, maxBytes: number): Buffer {
  // Decoders need up to 8 MiB for any data.
  if (zstdWindowBytes(data) > Math.max(maxBytes, 2 ** 23)) throw tooLarge(maxBytes)
  if (zstdDecompressSync) return zstdDecompressSync(data, { maxOutputLength: maxBytes })
  const chunks: Uint8Array[] = []
  let bytes = 0
  const stream = new Decompress((chunk) => {
    bytes += chunk.length
    refuseBeyond(bytes, maxBytes)
    chunks.push(chunk.slice())
  })
  stream.push(data, true)
  return Buffer.concat(chunks)
}

/** The memory that a frame asks for, from its header (RFC 8878, 3.1.1.1). 0 for a frame that has no window. */
function zstdWindowBytes(data: Buffer): number {
  const descriptor = data.readUInt8(4)
  if (descriptor & 0b10_0000) return 0
  const window = data.readUInt8(5)
  const base = 2 ** (10 + (window >> 3))
  return base + (base / 8) * (window & 7)
}

/** Snappy in its two formats: one block, or a stream of framed blocks. */
import { Decompressor, uncompressSync } from 'snappy'
import { damaged, NotDecompressible, readable, type TakeRoom } from './notDecompressible.ts'

/** @throws NotDecompressible if the block is damaged */
export function unpackSnappyBlock(block: Buffer, takeRoom: TakeRoom): Buffer {
  takeRoom(blockBytes(block))
  // Without `asBuffer: false`, the result is a buffer.
  return readable(() => Buffer.from(uncompressSync(block)))
}

/** The identifier that every framed stream begins with. */
const streamIdentifier = Buffer.from('\u00ff\u0006\u0000\u0000sNaPpY', 'latin1')

export function isFramedSnappy(data: Buffer): boolean {
  return data.subarray(0, streamIdentifier.length).equals(streamIdentifier)
}

/** Decompresses a framed stream and verifies its checksums. Rejects with `NotDecompressible` if it is damaged. */
export async function unpackSnappyFrames(data: Buffer, takeRoom: TakeRoom): Promise<Buffer> {
  takeRoom(framedBytes(data))
  try {
    // Works in a thread of its own. Its output has room as a whole.
    const decompressor = new Decompressor()
    const beginning = decompressor.update(data)
    return Buffer.concat([beginning, await decompressor.finish()])
  } catch (error) {
    return damaged(error)
  }
}

/** A block begins with its decompressed length, as a varint of at most 32 bits. */
function blockBytes(block: Buffer): number {
  let bytes = 0
  for (let at = 0; at < 5; at++) {
    const byte = block[at] ?? damaged()
    bytes += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) return bytes
  }
  return damaged()
}

const compressedChunk = 0
const plainChunk = 1
const checksumBytes = 4

/** The decompressed size of all chunks, from their headers. Chunks of other types have no data. */
function framedBytes(data: Buffer): number {
  let bytes = 0
  for (let at = 0; at < data.length;) {
    if (at + 4 > data.length) damaged()
    const content = at + 4
    const end = content + data.readUIntLE(at + 1, 3)
    if (end > data.length) throw new NotDecompressible('it is cut off')
    const type = data[at]
    if (type === compressedChunk) bytes += blockBytes(data.subarray(content + checksumBytes, end))
    if (type === plainChunk) bytes += Math.max(0, end - content - checksumBytes)
    at = end
  }
  return bytes
}

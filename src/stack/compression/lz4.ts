/** LZ4 frames. */
import { decompressFrameSync } from 'lz4-napi'
import { splitFrames } from './frames.ts'
import { damaged, readable, type TakeRoom } from './notDecompressible.ts'

/** Decompresses all frames. @throws NotDecompressible, or the error of `takeRoom` */
export function unpackLz4(data: Buffer, takeRoom: TakeRoom): Buffer {
  // The library reads one frame and ignores what follows it.
  const frames = splitFrames(data, frameAt)
  takeRoom(frames.reduce((sum, { bytes }) => sum + bytes, 0))
  return readable(() => Buffer.concat(frames.map((frame) => decompressFrameSync(frame.data))))
}

interface Frame {
  data: Buffer
  /** Decompressed. */
  bytes: number
}

const magic = 0x184d2204
/** Magic number, flags, block size and the checksum of the header. */
const headerBytes = 7

/** @throws RangeError if the data ends within the frame */
function frameAt(data: Buffer): Frame {
  if (data.readUInt32LE(0) !== magic) damaged()
  const flags = data.readUInt8(4)
  const contentSize = flags & 0b1000 ? 8 : 0
  const dictionary = flags & 0b1 ? 4 : 0
  const blockChecksum = flags & 0b1_0000 ? 4 : 0
  let at = headerBytes + contentSize + dictionary
  let bytes = 0
  for (let header = data.readUInt32LE(at); header !== 0; header = data.readUInt32LE(at)) {
    const size = header & 0x7fff_ffff
    const isPlain = header >= 2 ** 31
    bytes += isPlain ? size : blockBytes(data.subarray(at + 4, at + 4 + size))
    at += 4 + size + blockChecksum
  }
  const end = at + 4 + (flags & 0b100 ? 4 : 0)
  if (end > data.length) damaged()
  return { data: data.subarray(0, end), bytes }
}

/** The decompressed size of a block: the lengths of its literals and its matches. */
function blockBytes(block: Buffer): number {
  let bytes = 0
  let at = 0
  /** A length of 15 goes on in the next bytes, up to the first that is not 255. */
  const length = (first: number): number => {
    let sum = first
    if (first < 15) return sum
    for (let byte = 255; byte === 255; at++) {
      byte = block[at] ?? damaged()
      sum += byte
    }
    return sum
  }
  while (at < block.length) {
    const token = block[at] ?? 0
    at += 1
    const literals = length(token >> 4)
    bytes += literals
    at += literals
    // The last sequence has no match.
    if (at >= block.length) break
    at += 2
    bytes += 4 + length(token & 15)
  }
  return bytes
}

/** Decompresses LZ4 frames, within the memory that the caller allows. */
import { decompressFrame, decompressFrameSync } from 'lz4-napi'
import { splitFrames } from './frames.ts'
import { damaged, readable, type TakeRoom } from './notDecompressible.ts'

/** Decompresses all frames at once. @throws NotDecompressible, or the error of `takeRoom` */
export function unpackLz4Sync(data: Buffer, takeRoom: TakeRoom): Buffer {
  const frames = framesOf(data, takeRoom)
  return readable(() => Buffer.concat(frames.map((frame) => decompressFrameSync(frame.data))))
}

/** Decompresses all frames beside other work. Rejects with `NotDecompressible`, or with the error of `takeRoom`. */
export async function unpackLz4(data: Buffer, takeRoom: TakeRoom): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (const frame of framesOf(data, takeRoom)) chunks.push(await decompressFrame(frame.data).catch(damaged))
  return Buffer.concat(chunks)
}

/** The library reads one frame and ignores what follows it. */
function framesOf(data: Buffer, takeRoom: TakeRoom): Frame[] {
  const frames = splitFrames(data, frameAt)
  takeRoom(frames.reduce((sum, { bytes }) => sum + bytes, 0))
  return frames
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
  for (let at = 0; at < block.length;) {
    const token = block[at++] ?? 0
    let literals = token >> 4
    // A length of 15 goes on in the next bytes, up to the first that is not 255.
    for (let byte = literals === 15 ? 255 : 0; byte === 255; literals += byte) byte = block[at++] ?? damaged()
    bytes += literals
    at += literals
    // The last sequence has no match.
    if (at >= block.length) break
    at += 2
    let match = token & 15
    for (let byte = match === 15 ? 255 : 0; byte === 255; match += byte) byte = block[at++] ?? damaged()
    bytes += match + 4
  }
  return bytes
}

/** Finds the frames and blocks of Zstandard (RFC 8878) without decompressing them. */
import { splitFrames } from './frames.ts'
import { damaged, NotDecompressible } from './notDecompressible.ts'

export interface ZstdFrame {
  /** From the beginning of the frame to its end. */
  data: Buffer
  /** Bytes of earlier output that its decoder keeps. */
  window: number
  /** The end of each block in `data`. The last one includes the checksum of the frame. */
  blockEnds: number[]
}

const magic = 0xfd2fb528
const maxBlockBytes = 128 * 1024
const windowAt = 5
const rleBlock = 1
const compressedBlock = 2

/**
 * The frames of the data, in which no window is larger than their content can be.
 * @throws NotDecompressible for damaged data, a window over `maxWindow` bytes, and a dictionary
 */
export function zstdFrames(data: Buffer, maxWindow: number): ZstdFrame[] {
  const frames = splitFrames(data, frameAt)
  if (frames.some(({ window }) => window > maxWindow)) {
    throw new NotDecompressible('it needs a larger window than is allowed')
  }
  return frames
}

/** @throws RangeError if the data ends within the frame */
function frameAt(data: Buffer): ZstdFrame {
  if (data.readUInt32LE(0) !== magic) damaged()
  const descriptor = data.readUInt8(4)
  if ((descriptor & 0b11) !== 0) throw new NotDecompressible('it needs a dictionary')
  const hasOneSegment = (descriptor & 0b10_0000) !== 0
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? Number(hasOneSegment) : 2 ** sizeFlag
  const sizeAt = hasOneSegment ? windowAt : windowAt + 1

  const blockEnds: number[] = []
  let most = 0
  let at = sizeAt + sizeBytes
  for (let isLast = false; !isLast;) {
    const header = data.readUIntLE(at, 3)
    isLast = (header & 1) === 1
    const type = (header >> 1) & 0b11
    const size = header >> 3
    if (type > compressedBlock || size > maxBlockBytes) damaged()
    most += type === compressedBlock ? maxBlockBytes : size
    at += 3 + (type === rleBlock ? 1 : size)
    blockEnds.push(at)
  }
  if (descriptor & 0b100) at += 4
  if (at > data.length) damaged()
  blockEnds.splice(-1, 1, at)

  const frame = data.subarray(0, at)
  if (hasOneSegment) return { data: frame, window: segmentBytes(frame, sizeAt, sizeBytes), blockEnds }
  return withSmallestWindow(frame, most, blockEnds)
}

/** The content of a frame that has no window of its own. */
function segmentBytes(frame: Buffer, at: number, length: number): number {
  if (length === 8) return Number(frame.readBigUInt64LE(at))
  return frame.readUIntLE(at, length) + (length === 2 ? 256 : 0)
}

function windowBytes(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

/** Decoders allocate the whole window, however little content there is. */
function withSmallestWindow(frame: Buffer, contentBytes: number, blockEnds: number[]): ZstdFrame {
  const claimed = windowBytes(frame.readUInt8(windowAt))
  const exponent = Math.ceil(Math.log2(Math.max(contentBytes, maxBlockBytes)))
  if (2 ** exponent >= claimed) return { data: frame, window: claimed, blockEnds }
  const data = Buffer.from(frame)
  data.writeUInt8((exponent - 10) << 3, windowAt)
  return { data, window: 2 ** exponent, blockEnds }
}

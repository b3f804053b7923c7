/** The common structure of LZ4 and Zstandard: data is a sequence of frames, some of which have no content. */
import { damaged, NotDecompressible, readable } from './notDecompressible.ts'

/** Senders write one. Each costs buffers, however small it is. */
const maxFrames = 1000

/**
 * Divides data into frames with content.
 * @param frameAt reads the frame at the beginning of the data. It may throw a RangeError if the data ends within it
 * @throws NotDecompressible for anything else than complete frames, or very many
 */
export function splitFrames<Frame extends { data: Buffer }>(data: Buffer, frameAt: (data: Buffer) => Frame): Frame[] {
  const frames: Frame[] = []
  readable(() => {
    for (let begin = 0; begin < data.length;) {
      const skipped = skippableBytes(data, begin)
      if (begin + skipped > data.length) damaged()
      begin += skipped
      if (skipped > 0) continue
      if (frames.length === maxFrames) throw new NotDecompressible(`it has more than ${maxFrames} frames`)
      const frame = frameAt(data.subarray(begin))
      frames.push(frame)
      begin += frame.data.length
    }
  })
  return frames
}

/** The size of the frame without content that begins here; 0 if it is another frame. */
function skippableBytes(data: Buffer, at: number): number {
  if ((data.readUInt32LE(at) & 0xffff_fff0) >>> 0 !== 0x184d2a50) return 0
  return 8 + data.readUInt32LE(at + 4)
}

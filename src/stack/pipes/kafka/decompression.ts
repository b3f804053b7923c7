/** Decompresses record batches, never beyond a limit: a few bytes may claim to be very many. */
import { gunzipSync } from 'node:zlib'
import { unpackLz4Sync } from '../../compression/lz4.ts'
import { NotDecompressible, readable, roomFor, type TakeRoom } from '../../compression/notDecompressible.ts'
import { unpackSnappyBlock } from '../../compression/snappy.ts'
import { unpackAtOnce } from '../../compression/zlibFormats.ts'
import { unpackZstdSync } from '../../compression/zstd.ts'

/**
 * @param codec the number of the compression in the attributes of a batch
 * @throws NotDecompressible if the data is damaged or larger than `maxBytes` when decompressed
 */
export function decompress(codec: number, data: Buffer, maxBytes: number): Buffer {
  const decoder = decoders[codec]
  if (!decoder) throw new NotDecompressible(`the compression ${codec} is unknown`)
  return decoder(data, maxBytes)
}

type Decoder = (data: Buffer, maxBytes: number) => Buffer

const decoders: readonly Decoder[] = [
  (data) => data,
  (data, maxBytes) => unpackAtOnce(gunzipSync, data, maxBytes),
  (data, maxBytes) => readable(() => unpackSnappy(data, roomFor(maxBytes))),
  (data, maxBytes) => unpackLz4Sync(data, roomFor(maxBytes)),
  unpackZstdSync,
]

/** Java clients write a header and blocks with a length each; others write one block. */
const snappyMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
const snappyHeaderBytes = 16

function unpackSnappy(data: Buffer, takeRoom: TakeRoom): Buffer {
  if (!data.subarray(0, snappyMagic.length).equals(snappyMagic)) return unpackSnappyBlock(data, takeRoom)
  const blocks: Buffer[] = []
  for (let at = snappyHeaderBytes; at < data.length;) {
    const end = at + 4 + data.readUInt32BE(at)
    blocks.push(unpackSnappyBlock(data.subarray(at + 4, end), takeRoom))
    at = end
  }
  return Buffer.concat(blocks)
}

/** Zstandard: by Node where it can, and by a library on Node 20. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { Decompress } from 'fzstd'
import { damaged, NotDecompressible, roomFor, type TakeRoom } from './notDecompressible.ts'
import { unpackAtOnce, unpackByStream } from './zlibFormats.ts'
import { type ZstdFrame, zstdFrames } from './zstdFrames.ts'

/** Senders use windows of up to 32 MiB, which is what the usual library for Go has at its highest level. */
const maxWindow = 64 * 1024 * 1024

/** Bytes that the library may move: it moves the whole window for each block. A few seconds of work. */
const maxMoved = 2 ** 35

/** Milliseconds of work of the library between which other work goes on. */
const sliceTime = 10

// Since Node 22.15; the types are those of Node 20.
const { zstdDecompressSync, createZstdDecompress } = zlib as {
  zstdDecompressSync?: typeof zlib.gunzipSync
  createZstdDecompress?: () => Transform
}

/** Decompresses all frames, at most so many bytes. @throws NotDecompressible */
export function unpackZstdSync(data: Buffer, maxBytes: number): Buffer {
  const frames = framesOf(data, Math.max(maxBytes, 2 ** 23))
  const takeRoom = roomFor(maxBytes)
  const chunks: Uint8Array[] = []
  for (const frame of frames) {
    if (zstdDecompressSync) {
      const chunk = unpackAtOnce(zstdDecompressSync, frame.data, maxBytes)
      takeRoom(chunk.length)
      chunks.push(chunk)
    } else chunks.push(...unpackByLibrary(frame, takeRoom))
  }
  return Buffer.concat(chunks)
}

/** Decompresses all frames beside other work. Rejects with `NotDecompressible`, or with the error of `takeRoom`. */
export async function unpackZstd(data: Buffer, takeRoom: TakeRoom): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for (const frame of framesOf(data, maxWindow)) {
    if (createZstdDecompress) chunks.push(await unpackByStream(frame.data, createZstdDecompress(), takeRoom))
    else chunks.push(...(await inTurn(() => inSlices(unpackByLibrary(frame, takeRoom)))))
  }
  return Buffer.concat(chunks)
}

function framesOf(data: Buffer, largestWindow: number): ZstdFrame[] {
  const frames = zstdFrames(data, largestWindow)
  const moved = frames.reduce((sum, { window, blockEnds }) => sum + window * (blockEnds.length + 1), 0)
  if (!zstdDecompressSync && moved > maxMoved) throw new NotDecompressible('it has too many blocks for its windows')
  return frames
}

/** Decompresses a block at a time. */
function* unpackByLibrary({ data, blockEnds }: ZstdFrame, takeRoom: TakeRoom): Generator<Uint8Array> {
  let chunks: Uint8Array[] = []
  const stream = new Decompress((chunk) => {
    takeRoom(chunk.length)
    // The library uses the chunk again.
    chunks.push(chunk.slice())
  })
  let begin = 0
  for (const end of blockEnds) {
    push(stream, data.subarray(begin, end), end === data.length)
    yield* chunks
    chunks = []
    begin = end
  }
}

function push(stream: Decompress, block: Buffer, isLast: boolean): void {
  try {
    stream.push(block, isLast)
  } catch (error) {
    // The library throws errors with a code of its own, or a RangeError.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) damaged(error)
    throw error
  }
}

async function inSlices<T>(work: Iterable<T>): Promise<T[]> {
  const results: T[] = []
  let begin = performance.now()
  for (const result of work) {
    results.push(result)
    if (performance.now() - begin < sliceTime) continue
    await nextTurn()
    begin = performance.now()
  }
  return results
}

let last: Promise<unknown> = Promise.resolve()

/** One work after the other. They share a thread, so that doing several at once would only need more memory. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => undefined)
  return result
}

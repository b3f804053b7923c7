/**
 * Puts the parts of each response together, and closes a connection whose next response is too large before it is kept.
 * The memory of large responses is used again: with new memory for each, the runtime would look for garbage several
 * times a second, which takes more time than reading the records.
 */
import type { Socket } from 'node:net'
import type { SourceHolder } from '../records/recordBuffer.ts'

const lengthBytes = 4
/** Shorter responses have memory of their own. */
const smallBytes = 64 * 1024

interface FrameOptions {
  maxBytes: number
  buffers: Pick<ResponseBuffers, 'take'>
  /** Called once, with the reason. */
  onProblem(error: Error): void
}

/**
 * Passes whole responses to whoever reads the socket now, instead of the parts in which they arrive. To be called before the
 * first request.
 */
export function assembleFrames(socket: Socket, { maxBytes, buffers, onProblem }: FrameOptions): void {
  const readers = socket.listeners('data')
  socket.removeAllListeners('data')
  const header = Buffer.alloc(lengthBytes)
  let headerBytes = 0
  let frame: Buffer | undefined
  let used = 0
  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed;) {
      if (!frame) {
        header[headerBytes++] = chunk[at++] ?? 0
        if (headerBytes < lengthBytes) continue
        headerBytes = 0
        const bytes = header.readInt32BE()
        const problem = problemOf(bytes, maxBytes)
        if (problem) {
          onProblem(problem)
          socket.destroy(problem)
          return
        }
        const whole = lengthBytes + bytes
        frame = whole < smallBytes ? Buffer.allocUnsafe(whole) : buffers.take(whole)
        used = header.copy(frame)
      }
      const copied = chunk.copy(frame, used, at, at + frame.length - used)
      used += copied
      at += copied
      if (used < frame.length) continue
      const complete = frame
      frame = undefined
      for (const read of readers) read.call(socket, complete)
    }
  })
}

function problemOf(bytes: number, maxBytes: number): Error | null {
  if (bytes >= 0 && bytes <= maxBytes) return null
  return new Error(
    bytes < 0 || bytes > 2 ** 30
      ? 'not a Kafka broker, or one that expects TLS'
      : `a response of ${bytes} bytes is larger than the limit of ${maxBytes}`,
  )
}

export interface ResponseBuffers extends SourceHolder {
  /** Memory for a response. Whoever takes it holds it. */
  take(bytes: number): Buffer
  /** The memory that waits for a response, in bytes. */
  readonly freeBytes: number
}

const mebibyte = 1024 ** 2

/**
 * Memory is used again after each of its holders has released it. If one never does, the runtime collects it.
 * @param maxFreeBytes the most to keep for later responses
 */
export function responseBuffers(maxFreeBytes: number): ResponseBuffers {
  let free: ArrayBuffer[] = []
  let freeBytes = 0
  const holders = new WeakMap<ArrayBufferLike, number>()
  return {
    get freeBytes() {
      return freeBytes
    },
    take(bytes) {
      const found = free.find(({ byteLength }) => byteLength >= bytes)
      if (found) {
        free = free.filter((buffer) => buffer !== found)
        freeBytes -= found.byteLength
      }
      const memory = found ?? new ArrayBuffer(Math.ceil(bytes / mebibyte) * mebibyte)
      holders.set(memory, 1)
      return Buffer.from(memory, 0, bytes)
    },
    hold({ buffer }) {
      const count = holders.get(buffer)
      if (count !== undefined) holders.set(buffer, count + 1)
    },
    release({ buffer }) {
      const count = holders.get(buffer)
      // Other memory, such as that of a small response.
      if (count === undefined || !(buffer instanceof ArrayBuffer)) return
      if (count > 1) return void holders.set(buffer, count - 1)
      holders.delete(buffer)
      if (freeBytes + buffer.byteLength > maxFreeBytes) return
      free.push(buffer)
      freeBytes += buffer.byteLength
    },
  }
}

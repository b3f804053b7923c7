/** Puts the parts of each response together, and closes a connection whose next response is too large before it is kept. */
import type { Socket } from 'node:net'
import type { ResponseBuffers } from './responseBuffers.ts'

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

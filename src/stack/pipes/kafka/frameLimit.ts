/** Closes a connection whose next response is too large, before it is kept in memory. */
import type { Socket } from 'node:net'

const lengthBytes = 4

/** @param onProblem called once, with the reason */
export function limitFrames(socket: Socket, maxBytes: number, onProblem: (error: Error) => void): void {
  const header = Buffer.alloc(lengthBytes)
  let headerBytes = 0
  let bodyBytes = 0
  socket.prependListener('data', (chunk: Buffer) => {
    let at = 0
    while (at < chunk.length) {
      if (bodyBytes > 0) {
        const skipped = Math.min(bodyBytes, chunk.length - at)
        bodyBytes -= skipped
        at += skipped
        continue
      }
      header[headerBytes++] = chunk[at++] ?? 0
      if (headerBytes < lengthBytes) continue
      headerBytes = 0
      bodyBytes = header.readInt32BE()
      if (bodyBytes >= 0 && bodyBytes <= maxBytes) continue
      const error = new Error(
        bodyBytes < 0 || bodyBytes > 2 ** 30
          ? 'not a Kafka broker, or one that expects TLS'
          : `a response of ${bodyBytes} bytes is larger than the limit of ${maxBytes}`,
      )
      onProblem(error)
      socket.destroy(error)
      return
    }
  })
}

/** Reads the message of a unary call: a flag, a length of four bytes, and the message. */
import type { ServerHttp2Stream } from 'node:http2'
import { tooLarge } from './decompress.ts'
import { Refused } from './refusedExport.ts'

export interface Message {
  body: Buffer
  isCompressed: boolean
}

export interface MessageLimits {
  /** Bytes of the message as it was sent. */
  maxBytes: number
  /** Milliseconds for all of it. */
  timeout: number
  /** Called with the number of bytes that have arrived. It throws if there is no room for them. */
  takeRoom: (bytes: number) => void
}

const prefixBytes = 5

/** Rejects with `Refused`, or with the reason of `sender`. The stream is not destroyed, so that it can be answered. */
export function readMessage(
  stream: ServerHttp2Stream,
  sender: AbortSignal,
  { maxBytes, timeout, takeRoom }: MessageLimits,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) =>
      attempt(() => {
        takeRoom(chunk.length)
        chunks.push(chunk)
        size += chunk.length
        if (size < prefixBytes) return
        const length = prefixOf(chunks).readUInt32BE(1)
        if (length > maxBytes) throw tooLarge(maxBytes)
        if (size > prefixBytes + length) throw new Refused('malformed', 'the call has more than one message')
      })
    const onEnd = () => attempt(() => settle(() => resolve(messageIn(Buffer.concat(chunks, size)))))
    const onGone = () => settle(() => reject(sender.reason))
    const tooSlow = () => settle(() => reject(new Refused('tooSlow', `the message did not come within ${timeout} ms`)))
    const timer = setTimeout(tooSlow, timeout)

    const attempt = (step: () => void) => {
      try {
        step()
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const settle = (step: () => void) => {
      clearTimeout(timer)
      stream.off('data', onData)
      stream.off('end', onEnd)
      sender.removeEventListener('abort', onGone)
      step()
    }

    if (sender.aborted) return onGone()
    sender.addEventListener('abort', onGone)
    stream.on('end', onEnd)
    stream.on('data', onData)
  })
}

/** A buffer with the whole prefix: nearly always the first chunk, otherwise all chunks. */
function prefixOf(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  return first && first.length >= prefixBytes ? first : Buffer.concat(chunks)
}

function messageIn(data: Buffer): Message {
  if (data.length < prefixBytes || data.length < prefixBytes + data.readUInt32BE(1)) {
    throw new Refused('malformed', data.length === 0 ? 'the call has no message' : 'the message is cut off')
  }
  const flag = data.readUInt8(0)
  if (flag > 1) throw new Refused('malformed', `a message has the flag 0 or 1, not ${flag}`)
  return { body: data.subarray(prefixBytes), isCompressed: flag === 1 }
}

/**
 * The memory of large responses, which is used again. With new memory for each, the runtime would look for garbage several
 * times a second, which takes more time than reading the records.
 */
import type { SourceHolder } from '../records/recordBuffer.ts'

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
        free = free.filter((one) => one !== found)
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

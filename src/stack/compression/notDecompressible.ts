/** Why data cannot be decompressed. */

export class NotDecompressible extends Error {
  override name = 'NotDecompressible'
}

/** Called with the number of bytes that are about to be decompressed. It throws if there is no room for them. */
export type TakeRoom = (bytes: number) => void

/** Room for so many bytes. */
export function roomFor(maxBytes: number): TakeRoom {
  let left = maxBytes
  return (bytes) => {
    left -= bytes
    if (left < 0) throw largerThan(maxBytes)
  }
}

export function largerThan(maxBytes: number): NotDecompressible {
  return new NotDecompressible(`it is larger than ${Math.round(maxBytes / 1024 ** 2)} MiB when decompressed`)
}

/** @throws NotDecompressible */
export function damaged(cause?: unknown): never {
  throw new NotDecompressible('the compressed data is damaged', { cause })
}

/** The result of a step. Its errors mean that the data is damaged. @throws NotDecompressible */
export function readable<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof NotDecompressible) throw error
    return damaged(error)
  }
}

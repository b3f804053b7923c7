/** Converts nanoseconds since 1970 (64-bit integers) to the formats of the tables. */
import type Long from 'long'

const billion = 1_000_000_000

export interface Instant {
  seconds: number
  /** 0 to 999,999,999. */
  nanos: number
}

/** Splits without allocating a BigInt, because it runs several times for each record. */
export function instant(time: Long): Instant {
  const high = time.high >>> 0
  const low = time.low >>> 0
  // The floating-point quotient is off by at most one; the remainder modulo 2^32 shows the direction.
  let seconds = Math.floor((high * 0x1_0000_0000 + low) / billion)
  let nanos = (low - Math.imul(seconds, billion)) | 0
  if (nanos < 0) {
    seconds -= 1
    nanos += billion
  } else if (nanos >= billion) {
    seconds += 1
    nanos -= billion
  }
  return { seconds, nanos }
}

/** `1700000000.123456789`: the engine reads it as a DateTime64(9) without loss. */
export function instantText({ seconds, nanos }: Instant): string {
  return `${String(seconds).padStart(10, '0')}.${String(nanos).padStart(9, '0')}`
}

export function millisecondsInstant(milliseconds: number): Instant {
  const seconds = Math.floor(milliseconds / 1000)
  return { seconds, nanos: (milliseconds - seconds * 1000) * 1_000_000 }
}

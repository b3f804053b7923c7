/** Nanoseconds since 1970 as 64-bit integers in two halves of 32 bits without sign. */
const billion = 1_000_000_000

/** Whole seconds, without allocating a BigInt, because it runs for each record. */
export function secondsOf(low: number, high: number): number {
  // The floating-point quotient is off by at most one; the remainder modulo 2^32 shows the direction.
  const seconds = Math.floor((high * 0x1_0000_0000 + low) / billion)
  const nanos = (low - Math.imul(seconds, billion)) | 0
  if (nanos < 0) return seconds - 1
  return nanos >= billion ? seconds + 1 : seconds
}

/** The nanoseconds after `seconds`, which are those of the same time. */
export const nanosAfter = (low: number, seconds: number): number => (low - Math.imul(seconds, billion)) | 0

/** The halves of a time in milliseconds. */
export function nanosecondsOf(milliseconds: number): { low: number; high: number } {
  const nanos = BigInt(milliseconds) * 1_000_000n
  return { low: Number(nanos & 0xffffffffn), high: Number(nanos >> 32n) }
}

/** The earlier range that a result is compared with: the one before it, or one that lies a fixed time earlier. */
import { z } from 'zod'
import { counted } from '#domain/text/words.ts'

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const unitWords = { m: 'minute', h: 'hour', d: 'day', w: 'week' } as const
type OffsetUnit = keyof typeof unitMs

const offsetPattern = /^([1-9]\d{0,3})([mhdw])$/

/** `off`, `previous`, or how much earlier: `90m`, `1d`, `2w`. */
export const comparison = z
  .string()
  .refine((text) => ['off', 'previous'].includes(text) || offsetPattern.test(text), 'is not an offset such as 1d')

/** How much earlier a comparison reads, milliseconds: whole buckets; null for the range before. */
export function offsetOf(compare: string, bucketMs: number): number | null {
  const offset = readOffset(compare)
  return offset && Math.ceil((offset.count * unitMs[offset.unit]) / bucketMs) * bucketMs
}

/** `Previous period`, `Previous day`, `3 days before`. */
export function comparisonName(compare: string): string {
  const offset = readOffset(compare)
  if (!offset) return 'Previous period'
  const word = unitWords[offset.unit]
  return offset.count === 1 ? `Previous ${word}` : `${counted(offset.count, word)} before`
}

/** A typed offset; null for text that is not an offset. */
export const typedOffset = (text: string): string | null => {
  const offset = text.toLowerCase().replaceAll(' ', '')
  return offsetPattern.test(offset) ? offset : null
}

function readOffset(compare: string): { count: number; unit: OffsetUnit } | null {
  const [, count = '', unit = ''] = offsetPattern.exec(compare) ?? []
  return isUnit(unit) ? { count: Number(count), unit } : null
}

const isUnit = (text: string): text is OffsetUnit => Object.hasOwn(unitMs, text)

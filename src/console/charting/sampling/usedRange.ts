/** The recent use of a resource: for the scale of its slider. */
import { formatShort } from '#domain/charts/units.ts'
import type { SampleSelector } from './series.ts'

export interface UsedRange {
  /** 90 % of the measurements lie between these. */
  low: number
  high: number
  /** Between the first and the last measurement. */
  minutes: number
}

/** @returns null with too few measurements to say anything */
export function usedRange<S extends { at: number }>(
  samples: readonly S[],
  select: SampleSelector<S>,
): UsedRange | null {
  const measured = samples.flatMap((sample) => {
    const value = select(sample)
    return value === null ? [] : [{ at: sample.at, value }]
  })
  const [first, last] = [measured[0], measured.at(-1)]
  const minutes = first && last ? Math.round((last.at - first.at) / 60_000) : 0
  if (minutes < 1) return null
  const sorted = measured.map(({ value }) => value).toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { low: at(0.05), high: at(0.95), minutes }
}

/** "Used in the last 90 min: 410 MiB to 1.2 GiB." */
export function formatUsed({ low, high, minutes }: UsedRange, unit: 'GiB' | 'vCPU'): string {
  // Small amounts of memory would be hard to read in GiB.
  const format = (value: number) =>
    unit === 'GiB' ? formatShort(value * 2 ** 30, 'bytes') : `${formatShort(value)} ${unit}`
  const [from, to] = [format(low), format(high)]
  // A unit that both have is written once.
  const start = from.slice(from.indexOf(' ')) === to.slice(to.indexOf(' ')) ? from.slice(0, from.indexOf(' ')) : from
  return `Used in the last ${minutes} min: ${from === to ? to : `${start} to ${to}`}.`
}

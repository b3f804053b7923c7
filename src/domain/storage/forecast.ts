/** When a disk is full: from what was stored on each of the last days, and what retention deletes meanwhile. */
import type { StoredDay } from '#contract/stack/storage.ts'

export interface StoredSeries {
  days: readonly StoredDay[]
  /** Days that it is kept. */
  retentionDays: number
}

/** Bytes of a day: the mean, the least and the most of the days that were looked at. */
export interface DailyRate {
  mean: number
  least: number
  most: number
  /** How many whole days there were. */
  days: number
}

export interface Forecast {
  rate: DailyRate
  /** Bytes of telemetry once everything is as old as its retention, at the mean rate. */
  steadyBytes: number
  /** Days until the disk is full at the mean rate; null if it never is. */
  fullIn: number | null
  /** Days until the disk is full if every day is like the largest, and like the smallest one. */
  earliest: number | null
  latest: number | null
}

const dayLength = 86_400_000
/** Whole days that a rate is the mean of. */
const looksBack = 7

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The whole days before today, at most a week, beginning with the first that has rows. Null without any. */
export function dailyRate(days: readonly StoredDay[], now: number): DailyRate | null {
  const first = days.reduce((least, { day }) => (day < least ? day : least), dayOf(now))
  const known = new Map(days.map(({ day, bytes }) => [day, bytes]))
  const looked = Array.from({ length: looksBack }, (_, at) => dayOf(now - (at + 1) * dayLength)).filter(
    (day) => day >= first,
  )
  if (looked.length === 0) return null
  const bytes = looked.map((day) => known.get(day) ?? 0)
  return {
    mean: bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length,
    least: Math.min(...bytes),
    most: Math.max(...bytes),
    days: bytes.length,
  }
}

/** @returns null before a whole day was stored */
export function forecast(series: readonly StoredSeries[], freeBytes: number, now: number): Forecast | null {
  const rates = series.map(({ days }) => dailyRate(days, now))
  const known = rates.filter((rate) => rate !== null)
  if (known.length === 0) return null
  const total = (pick: (rate: DailyRate) => number) => known.reduce((sum, rate) => sum + pick(rate), 0)
  const full = (pick: (rate: DailyRate) => number) =>
    daysUntilFull(
      series.map((storedSeries, at) => ({ ...storedSeries, rate: rates[at] ? pick(rates[at]) : 0 })),
      freeBytes,
      now,
    )
  return {
    rate: {
      mean: total(({ mean }) => mean),
      least: total(({ least }) => least),
      most: total(({ most }) => most),
      days: Math.max(...known.map(({ days }) => days)),
    },
    steadyBytes: series.reduce((sum, { retentionDays }, at) => sum + (rates[at]?.mean ?? 0) * retentionDays, 0),
    fullIn: full(({ mean }) => mean),
    earliest: full(({ most }) => most),
    latest: full(({ least }) => least),
  }
}

/** Adds a day of each after another, and takes away what becomes older than its retention. */
function daysUntilFull(
  series: readonly (StoredSeries & { rate: number })[],
  freeBytes: number,
  now: number,
): number | null {
  const stored = series.map(({ days }) => new Map(days.map(({ day, bytes }) => [day, bytes])))
  // Data older than its retention is deleted with the next day.
  const overdue = series.flatMap(({ days, retentionDays }) => deletedBy(days, retentionDays, now))
  let free = freeBytes + overdue.reduce((sum, { bytes }) => sum + bytes, 0)
  // From then on, as much leaves each day as arrives.
  const horizon = Math.max(0, ...series.map(({ retentionDays }) => retentionDays)) + 1
  for (let ahead = 1; ahead <= horizon; ahead++) {
    series.forEach(({ rate, retentionDays }, at) => {
      const leaving = dayOf(now + (ahead - 1 - retentionDays) * dayLength)
      // Data that arrives from today on is deleted as well, once it is old enough.
      const left = ahead > retentionDays ? rate : (stored[at]?.get(leaving) ?? 0)
      free += left - rate
    })
    if (free <= 0) return ahead
  }
  return null
}

/** The days that a retention deletes of what is stored. */
export function deletedBy(days: readonly StoredDay[], retentionDays: number, now: number): StoredDay[] {
  const first = dayOf(now - retentionDays * dayLength)
  return days.filter(({ day }) => day < first)
}

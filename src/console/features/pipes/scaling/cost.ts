/** What sizes cost, in words. */
import { pipeTotals, type PipeSize } from '#contract/pipePrices.ts'

const dollars = (digits: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: digits })

const [hour, month] = [dollars(4), dollars(0)]

export const perHour = (usd: number): string => hour.format(usd)
export const perMonth = (usd: number): string => month.format(usd)

/** "$9 → $18 a month", or "$9 a month" where that stays; null while one of the sizes is not known. */
export function costWords(now: PipeSize | null, then: PipeSize | null, rate: number): string | null {
  if (!now || !then) return null
  const costs = [now, then].map((size) => perMonth(pipeTotals(size, rate).usdPerMonth))
  return `${[...new Set(costs)].join(' → ')} a month`
}

/** Amounts of credits, money and bytes. */
import { formatValue } from './units.ts'

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const belowCent = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

/** An amount of credits or money: `1,234.50 CHC`. One of less than a cent has the digits that it needs. */
export function formatAmount(value: number, currency: string): string {
  const isSmall = value !== 0 && Math.abs(value) < 0.01
  return `${(isSmall ? belowCent : cents).format(value)} ${currency}`
}

/** A price in dollars with as many decimals: `$1,234.50`. */
export function formatDollars(usd: number, decimals = 2): string {
  let format = dollars.get(decimals)
  if (!format) {
    const least = Math.min(decimals, 2)
    const digits = { minimumFractionDigits: least, maximumFractionDigits: decimals }
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...digits })
    dollars.set(decimals, format)
  }
  return format.format(usd)
}

const dollars = new Map<number, Intl.NumberFormat>()

const byteUnits = ['bytes', 'KiB', 'MiB', 'GiB'] as const

/** `10 GiB`, `1,500 bytes`: the exact number in the largest unit without a fraction. */
export function formatExactBytes(bytes: number): string {
  let [value, at] = [bytes, 0]
  while (value !== 0 && value % 1024 === 0 && at < byteUnits.length - 1) [value, at] = [value / 1024, at + 1]
  return `${formatValue(value)} ${byteUnits[at]}`
}

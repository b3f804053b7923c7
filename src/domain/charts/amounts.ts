/** Amounts of credits and money. */

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const belowCent = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

/** An amount of credits or money: `1,234.50 CHC`. One of less than a cent has the digits that it needs. */
export function formatAmount(value: number, currency: string): string {
  const isSmall = value !== 0 && Math.abs(value) < 0.01
  return `${(isSmall ? belowCent : cents).format(value)} ${currency}`
}

/** The ranges that one click or one word gives. */
import type { TimeRange } from './range.ts'

const lasts = ['5m', '15m', '30m', '1h', '3h', '6h', '12h', '24h', '2d', '7d', '30d', '90d']

/** Named ranges. */
export const namedRanges: { name: string; range: TimeRange }[] = [
  { name: 'Today', range: { from: 'now/d', to: 'now/d' } },
  { name: 'Today so far', range: { from: 'now/d', to: 'now' } },
  { name: 'Yesterday', range: { from: 'now-1d/d', to: 'now-1d/d' } },
  { name: 'This week', range: { from: 'now/w', to: 'now/w' } },
  { name: 'This week so far', range: { from: 'now/w', to: 'now' } },
  { name: 'Previous week', range: { from: 'now-1w/w', to: 'now-1w/w' } },
  { name: 'This month', range: { from: 'now/M', to: 'now/M' } },
  { name: 'This month so far', range: { from: 'now/M', to: 'now' } },
  { name: 'Previous month', range: { from: 'now-1M/M', to: 'now-1M/M' } },
]

const offered = ['Today so far', 'Yesterday', 'This week so far', 'This month so far']

export const presetRanges: TimeRange[] = [
  ...lasts.map((length) => ({ from: `now-${length}`, to: 'now' })),
  ...namedRanges.filter(({ name }) => offered.includes(name)).map(({ range }) => range),
]

export const sameRange = (a: TimeRange, b: TimeRange): boolean => a.from === b.from && a.to === b.to

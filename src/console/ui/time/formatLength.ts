/** Lengths of time as text. Values with a unit, such as `230 ms`, are in `domain/charts/units.ts`. */

const day = 86_400_000
const hour = 3_600_000
const minute = 60_000

const words: [number, string][] = [
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
  [1000, 'second'],
]

/** `30 seconds`, `1 hour`, `7 days`: a length that is whole in one unit. Milliseconds. */
export function formatDuration(ms: number): string {
  const [size, word] = words.find(([size]) => ms >= size && ms % size === 0) ?? [1, 'millisecond']
  const amount = ms / size
  return `${amount} ${word}${amount === 1 ? '' : 's'}`
}

const parts: [number, string][] = [
  [day, 'd'],
  [hour, 'h'],
  [minute, 'min'],
  [1000, 's'],
]

/** `19 min`, `1 h 12 min`, `3 d 2 h`: the two largest units. Milliseconds. */
export function formatLength(ms: number): string {
  const found = parts.map(([size, unit], at) => {
    const amount = Math.floor((ms % (parts[at - 1]?.[0] ?? Infinity)) / size)
    return { amount, text: `${amount} ${unit}` }
  })
  const first = found.findIndex(({ amount }) => amount > 0)
  if (first === -1) return '0 s'
  const two = found.slice(first, first + 2).filter(({ amount }) => amount > 0)
  return two.map(({ text }) => text).join(' ')
}

/** `about 40 s`, `about 3 min`. */
export function formatEstimate(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  return seconds < 90 ? `about ${Math.ceil(seconds)} s` : `about ${Math.round(seconds / 60)} min`
}

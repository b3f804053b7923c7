import { Button } from '#console/ui/base/Button.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { DifferentClock } from '#domain/traces/clocks.ts'
import { formatNanoseconds } from '#domain/charts/units.ts'

interface ClockNoticeProps {
  clocks: readonly DifferentClock[]
  /** Whether the spans are drawn at the times that were recorded. */
  asRecorded: boolean
  onToggle: () => void
}

const maxNamed = 3

/** Says whose spans are not drawn where they were recorded. */
export function ClockNotice({ clocks, asRecorded, onToggle }: ClockNoticeProps) {
  const named = clocks.slice(0, maxNamed).map(({ service, ahead }) => `${service || '(none)'} ${differenceOf(ahead)}`)
  const others = clocks.length - named.length
  const list = [...named, ...(others > 0 ? [`${others} more`] : [])]
  return (
    <Notice
      tone="warning"
      action={<Button onClick={onToggle}>{asRecorded ? 'Align the clocks' : 'Show recorded times'}</Button>}
    >
      The clocks of the hosts differ: {new Intl.ListFormat('en').format(list)}.{' '}
      {asRecorded
        ? 'The spans are shown at the times that were recorded.'
        : 'Their spans are shown within the spans that called them.'}
    </Notice>
  )
}

const longUnits: [size: number, unit: string][] = [
  [86_400e9, 'd'],
  [3600e9, 'h'],
  [60e9, 'min'],
]

/** "5 h ahead" of the caller. @param ahead nanoseconds */
export function differenceOf(ahead: number): string {
  const offset = Math.abs(ahead)
  // 90 s is clearer than 1.5 min.
  const [size, unit] = longUnits.find(([size]) => offset >= 2 * size) ?? [0, '']
  const length = size > 0 ? `${Number((offset / size).toPrecision(3))} ${unit}` : formatNanoseconds(String(offset))
  return `${length} ${ahead > 0 ? 'ahead' : 'behind'}`
}

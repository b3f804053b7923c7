import { Pause, Radio } from 'lucide-react'
import { Button } from '#console/ui/base/Button.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import * as css from './search.module.css'
import type { LiveTail } from './useLiveTail.ts'

interface LiveTailButtonProps {
  on: boolean
  tail: LiveTail
  /** Why the tail waits; undefined while it runs. */
  waiting: string | undefined
  /** Why it cannot be switched on. */
  disabled: string | undefined
  onToggle: () => void
}

/** Switches the live tail on and off, and says what it does. */
export function LiveTailButton({ on, tail, waiting, disabled, onToggle }: LiveTailButtonProps) {
  const every = `every ${Math.round(tail.interval / 1000)} s`
  const detail = waiting ?? (tail.failing ? `the last read failed, trying ${every}` : `new rows ${every}`)
  const Icon = on && waiting !== undefined ? Pause : Radio
  return (
    <>
      <DisabledReason reason={disabled}>
        <Button
          aria-pressed={on}
          disabled={disabled !== undefined}
          startIcon={<Icon size={14} aria-hidden />}
          onClick={onToggle}
          className={on ? css.on : undefined}
          {...(disabled === undefined &&
            hint(on ? `Live: ${detail}. Pause with p.` : 'Show new rows as they arrive (p)'))}
        >
          {on ? (waiting === undefined ? 'Live' : 'Live, waiting') : 'Live tail'}
        </Button>
      </DisabledReason>
      <VisuallyHidden live="polite">{on ? `Live tail: ${waiting ?? 'on'}` : ''}</VisuallyHidden>
    </>
  )
}

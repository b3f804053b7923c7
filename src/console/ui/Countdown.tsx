import { useEffect, useEffectEvent } from 'react'
import { useSecondsUntil } from './useSecondsUntil.ts'

interface CountdownProps {
  /** Epoch milliseconds. */
  until: number
  /** Tries again at its end, instead of only saying that it can be tried. */
  onEnd?: (() => void) | undefined
}

/** Counts down to when another try makes sense: "Try again in 7 s." */
export function Countdown({ until, onEnd }: CountdownProps) {
  const left = useSecondsUntil(until)
  const over = left === 0
  const end = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (over) end()
  }, [over])
  // Announced once, when it is over: a screen reader must not count along.
  return (
    <span role="timer" aria-live="off">
      {onEnd && (over ? 'Retrying…' : `Retrying in ${left} s.`)}
      {!onEnd && (over ? 'You can try again now.' : `Try again in ${left} s.`)}
    </span>
  )
}

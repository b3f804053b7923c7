import { useEffect, useState } from 'react'

/** Counts down to when another try makes sense: "Try again in 7 s." Seconds; the count starts with the first drawing. */
export function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(Math.ceil(seconds))
  useEffect(() => {
    const until = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((until - Date.now()) / 1000))
      setLeft(rest)
      if (rest === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [seconds])
  // Announced once, when it is over: a screen reader must not count along.
  return (
    <span role="timer" aria-live="off">
      {left > 0 ? `Try again in ${left} s.` : 'You can try again now.'}
    </span>
  )
}

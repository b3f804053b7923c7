import { useEffect, useState } from 'react'

/** Milliseconds of not typing after which the text is told. */
const pause = 250

/**
 * A text that is used with every key, and told after a pause: it belongs to the address, and browsers slow down or
 * refuse an address that changes that often.
 */
export function useDebouncedText(told: string, onTold: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(told)
  const [known, setKnown] = useState(told)
  if (told !== known) {
    // It was changed from elsewhere: the back button, or "clear".
    setKnown(told)
    setTyped(told)
  }
  useEffect(() => {
    if (typed === told) return
    const timer = setTimeout(() => {
      setKnown(typed)
      onTold(typed)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed, told, onTold])
  return [typed, setTyped]
}

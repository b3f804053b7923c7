import { useEffect, useState } from 'react'

/** Milliseconds without typing after which the text is committed. */
const pause = 250

/**
 * A text that is used on every key and committed after a pause. It is part of the URL, and browsers slow down or
 * refuse a URL that changes that often.
 */
export function useDebouncedText(
  committed: string,
  onCommit: (text: string) => void,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState(committed)
  const [known, setKnown] = useState(committed)
  if (committed !== known) {
    // It was changed from elsewhere: the back button, or "clear".
    setKnown(committed)
    setTyped(committed)
  }
  useEffect(() => {
    if (typed === committed) return
    const timer = setTimeout(() => {
      setKnown(typed)
      onCommit(typed)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed, committed, onCommit])
  return [typed, setTyped]
}

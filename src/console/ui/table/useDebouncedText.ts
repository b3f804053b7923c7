import { useCallback, useEffect, useState } from 'react'

/** Milliseconds without typing after which the text is committed. */
const pause = 250

export interface DebouncedText {
  text: string
  change: (text: string) => void
  /** Commits what was typed now, such as when its field loses focus: what follows may leave the page. */
  commit: () => void
}

/**
 * A text that is used on every key and committed after a pause. It is part of the URL, and browsers slow down or
 * refuse a URL that changes that often.
 */
export function useDebouncedText(committed: string, onCommit: (text: string) => void): DebouncedText {
  const [typed, setTyped] = useState(committed)
  const [known, setKnown] = useState(committed)
  if (committed !== known) {
    // It was changed from elsewhere: the back button, or "clear".
    setKnown(committed)
    setTyped(committed)
  }
  const commit = useCallback(() => {
    if (typed === committed) return
    setKnown(typed)
    onCommit(typed)
  }, [typed, committed, onCommit])
  useEffect(() => {
    const timer = setTimeout(commit, pause)
    return () => clearTimeout(timer)
  }, [commit])
  return { text: typed, change: setTyped, commit }
}

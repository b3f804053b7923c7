/** The time while the page is visible. A hidden page keeps the last one, so that it reads nothing. */
import { focusManager } from '@tanstack/react-query'
import { useState } from 'react'
import { useNow } from '#console/ui/Timestamp.tsx'

export function useVisibleNow(): number {
  const now = useNow()
  const [shown, setShown] = useState(now)
  if (now !== shown && focusManager.isFocused()) setShown(now)
  return shown
}

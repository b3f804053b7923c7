import { useEffect, useState } from 'react'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'

/** Milliseconds for which a key stays on the screen. */
const shownFor = 60_000

export interface ShownKey {
  /** The key, or its mask. */
  text: string
  isShown: boolean
  isLoading: boolean
  show: () => Promise<void>
  hide: () => void
  /** Reads the key without showing it. */
  read: () => Promise<string>
}

/**
 * A key that is on the page for a minute after somebody asked for it, and in no cache.
 * @param id of the key: another one hides what is shown
 */
export function useShownKey({ id, end }: { id: string; end: string }, load: () => Promise<string>): ShownKey {
  const [shown, setShown] = useState<{ id: string; key: string } | null>(null)
  const [isLoading, setLoading] = useState(false)
  const isShown = shown?.id === id

  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), shownFor)
    return () => clearTimeout(timer)
  }, [shown])

  const read = async () => {
    try {
      return await load()
    } catch (error) {
      toastFailure(error)
      throw error
    }
  }
  const show = async () => {
    setLoading(true)
    try {
      setShown({ id, key: await load() })
    } catch (error) {
      toastFailure(error)
    } finally {
      setLoading(false)
    }
  }
  return {
    text: isShown ? shown.key : `••••••••${end}`,
    isShown,
    isLoading,
    show,
    hide: () => setShown(null),
    read,
  }
}

/** The person's address as the deployment sees it: they say it, the console cannot know it. Kept in this browser. */
import { useState } from 'react'

const key = 'stack-console.own-address'

function load(): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

export function useOwnAddress(): [string, (address: string) => void] {
  const [address, setAddress] = useState(load)
  const keep = (next: string) => {
    setAddress(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // A browser that keeps nothing still works; it only forgets.
    }
  }
  return [address, keep]
}

/** The user's IP address as the deployment sees it. Entered by the user and saved in this browser. */
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
      // Without local storage, the address lasts until the page is closed.
    }
  }
  return [address, keep]
}

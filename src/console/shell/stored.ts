/** Settings of this browser: kept in local storage, shared by all parts of the page. Never holds a secret. */
import { Store, useStore } from '@tanstack/react-store'

interface Stored {
  /** Single keys such as `n` and `g a`; some people need them off (WCAG 2.1.4). */
  singleKeys: boolean
  navFolded: boolean
  /** The connection that was used last. */
  connectionId: string
  /** Ids of palette entries, newest first. */
  recents: string[]
}

const key = 'stack-console.settings'

/** Takes what is of the right kind and defaults for the rest: anything may have written there. */
export function readStored(text: string | null): Stored {
  const kept = asRecord(text)
  return {
    singleKeys: kept.singleKeys !== false,
    navFolded: kept.navFolded === true,
    connectionId: typeof kept.connectionId === 'string' ? kept.connectionId : '',
    recents: Array.isArray(kept.recents) ? kept.recents.filter((id) => typeof id === 'string') : [],
  }
}

function asRecord(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function load(): Stored {
  try {
    return readStored(localStorage.getItem(key))
  } catch {
    return readStored(null)
  }
}

const store = new Store<Stored>(load())

export function useStored<K extends keyof Stored>(name: K): Stored[K] {
  return useStore(store, (all) => all[name])
}

export const stored = () => store.state

export function setStored(change: Partial<Stored>): void {
  store.setState((all) => ({ ...all, ...change }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // A browser that keeps nothing still works; it only forgets.
  }
}

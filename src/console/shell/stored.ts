/** Settings of this browser: kept in local storage, shared by all parts of the page. Never holds a secret. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'

const schema = z.object({
  /** Single keys such as `n` and `g a`; some people need them off (WCAG 2.1.4). */
  singleKeys: z.boolean().catch(true),
  navFolded: z.boolean().catch(false),
  /** The connection that was used last. */
  connectionId: z.string().catch(''),
  /** Ids of palette entries, newest first. */
  recents: z.array(z.string()).catch([]),
})

export type Stored = z.infer<typeof schema>

const key = 'stack-console.settings'

function read(): Stored {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return schema.parse({})
  }
}

const store = new Store<Stored>(read())

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

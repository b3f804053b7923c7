/** The changes made in this browser, by resource. The APIs keep no history, so this is all there is. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import type { Change } from '#console/ui/ChangeTable.tsx'

const entry = z.object({
  /** Connection, kind and ID of the resource. */
  resource: z.string(),
  at: z.number(),
  /** The action: "Scaled". */
  what: z.string(),
  changes: z.array(z.object({ title: z.string(), before: z.string(), after: z.string() })),
})
type LogEntry = z.infer<typeof entry>

const key = 'stack-console.changes'
/** The number of entries that are kept, newest first. */
const maxEntries = 300

function load(): LogEntry[] {
  try {
    return z
      .array(entry)
      .catch([])
      .parse(JSON.parse(localStorage.getItem(key) ?? '[]'))
  } catch {
    return []
  }
}

const log = new Store<LogEntry[]>(load())

/** Adds an entry. Values must not be secrets. */
export function logChange(resource: string, what: string, changes: readonly Change[]): void {
  log.setState((before) => [{ resource, at: Date.now(), what, changes: [...changes] }, ...before].slice(0, maxEntries))
  try {
    localStorage.setItem(key, JSON.stringify(log.state))
  } catch {
    // Without local storage, the log lasts until the page is closed.
  }
}

const none: LogEntry[] = []

/** The changes made to a resource in this browser, newest first. */
export function useChangeLog(resource: string): readonly LogEntry[] {
  const entries = useStore(log)
  return entries.length === 0 ? none : entries.filter((logged) => logged.resource === resource)
}

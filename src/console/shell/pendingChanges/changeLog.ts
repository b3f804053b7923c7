/** What was changed through this browser, thing by thing: the APIs that have no history of their own get this much. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import type { Change } from '#console/ui/ChangeTable.tsx'

const entry = z.object({
  /** Connection and id of the thing. */
  resource: z.string(),
  at: z.number(),
  /** What was done: "Scaled". */
  what: z.string(),
  changes: z.array(z.object({ title: z.string(), before: z.string(), after: z.string() })),
})
export type LogEntry = z.infer<typeof entry>

const key = 'stack-console.changes'
/** Newest first; older ones are forgotten. */
const most = 300

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

/** Keeps what was done. Values must not be secrets. */
export function logChange(resource: string, what: string, changes: readonly Change[]): void {
  log.setState((before) => [{ resource, at: Date.now(), what, changes: [...changes] }, ...before].slice(0, most))
  try {
    localStorage.setItem(key, JSON.stringify(log.state))
  } catch {
    // A browser that keeps nothing still works; it only forgets.
  }
}

const none: LogEntry[] = []

/** What was done to a thing through this browser, newest first. */
export function useChangeLog(resource: string): readonly LogEntry[] {
  const entries = useStore(log)
  return entries.length === 0 ? none : entries.filter((one) => one.resource === resource)
}

/** Statements that this browser keeps for each connection: those that were run last, and those that somebody saved. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import { withoutSecrets } from '#domain/query/sqlLiterals.ts'

const savedStatement = z.object({ id: z.string(), name: z.string(), text: z.string() })
export type SavedStatement = z.infer<typeof savedStatement>

const kept = z.object({
  /** The newest first, without texts that look secret. */
  recent: z.array(z.string()).catch([]),
  saved: z.array(savedStatement).catch([]),
})
type Kept = z.infer<typeof kept>

const maxRecent = 20
const maxSaved = 100
const key = 'stack-console.sql'
const none: Kept = { recent: [], saved: [] }

const statements = new Store<Record<string, Kept>>(load())

function load(): Record<string, Kept> {
  try {
    return z.record(z.string(), kept).parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

export function useStatements(connectionId: string): Kept {
  return useStore(statements, (all) => all[connectionId] ?? none)
}

export function keepRecent(connectionId: string, text: string): void {
  const shown = withoutSecrets(text).trim()
  change(connectionId, (all) => ({
    ...all,
    recent: [shown, ...all.recent.filter((one) => one !== shown)].slice(0, maxRecent),
  }))
}

/** Saves a statement under a name, in place of the one that has it. */
export function saveStatement(connectionId: string, name: string, text: string): SavedStatement {
  const known = statements.state[connectionId]?.saved.find((one) => one.name === name)
  const saved = { id: known?.id ?? crypto.randomUUID().slice(0, 8), name, text }
  change(connectionId, (all) => ({
    ...all,
    saved: [saved, ...all.saved.filter(({ id }) => id !== saved.id)].slice(0, maxSaved),
  }))
  return saved
}

export function removeStatement(connectionId: string, id: string): void {
  change(connectionId, (all) => ({ ...all, saved: all.saved.filter((one) => one.id !== id) }))
}

function change(connectionId: string, work: (kept: Kept) => Kept): void {
  statements.setState((all) => ({ ...all, [connectionId]: work(all[connectionId] ?? none) }))
  try {
    localStorage.setItem(key, JSON.stringify(statements.state))
  } catch {
    // Without storage, or if it is full, they last as long as the page.
  }
}

/** The statements that were run last: this browser keeps them for each connection, without texts that look secret. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import { withoutSecrets } from '#domain/query/sqlLiterals.ts'

/** The newest first. */
const kept = z.object({ recent: z.array(z.string()).catch([]) })

const maxRecent = 20
const key = 'stack-console.sql'
const none: readonly string[] = []

const statements = new Store<Record<string, z.infer<typeof kept>>>(load())

function load(): Record<string, z.infer<typeof kept>> {
  try {
    return z.record(z.string(), kept).parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

export function useRecentStatements(connectionId: string): readonly string[] {
  return useStore(statements, (all) => all[connectionId]?.recent ?? none)
}

export function keepRecent(connectionId: string, text: string): void {
  const shown = withoutSecrets(text).trim()
  statements.setState((all) => {
    const before = all[connectionId]?.recent ?? []
    return {
      ...all,
      [connectionId]: { recent: [shown, ...before.filter((other) => other !== shown)].slice(0, maxRecent) },
    }
  })
  try {
    localStorage.setItem(key, JSON.stringify(statements.state))
  } catch {
    // Without storage, or if it is full, they last as long as the page.
  }
}

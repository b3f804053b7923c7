/** The statement in the editor of the SQL page. This tab keeps it until it is closed: it may hold secrets, and is in no address. */

const keyOf = (connectionId: string) => `stack-console.sql-draft.${connectionId}`

export function readDraft(connectionId: string): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(connectionId)) ?? undefined
  } catch {
    return undefined
  }
}

/** Other pages set it right before they lead to the SQL page. */
export function keepDraft(connectionId: string, text: string): void {
  try {
    sessionStorage.setItem(keyOf(connectionId), text)
  } catch {
    // Without storage, or if it is full, it lasts as long as the page.
  }
}

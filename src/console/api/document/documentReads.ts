/**
 * Responses that the gateway sends inside the document (`gateway/http/pageReads.ts`). Each is used once, by the request
 * that would otherwise be sent for it.
 */

/** The API paths whose responses come with the document, and are not used yet. */
const announced = new Set<string>()

/** Milliseconds after which a response is too old, such as in a tab that was opened in the background. */
const maxAge = 30_000

/** Reads from the document which responses it has or will have. */
export function announceDocumentReads(): void {
  const text = document.querySelector<HTMLMetaElement>('meta[name="page-reads"]')?.content
  if (!text?.startsWith('[')) return
  // It comes from the same build as this page.
  for (const path of JSON.parse(text) as string[]) announced.add(path)
}

/** Forgets all that are left, because a request may have changed what they say. */
export function dropDocumentReads(): void {
  announced.clear()
}

/** Reads that wait for their response. */
const waiting = new Set<Promise<unknown>>()

/** Resolves when no read waits for the document any longer, or after `timeout` milliseconds. */
export async function whenDocumentReadsSettle(timeout: number): Promise<void> {
  const late = new Promise((wake) => setTimeout(wake, timeout))
  await Promise.race([Promise.allSettled(waiting), late])
}

/** A response whose text is read at most once. */
export type TextResponse = Pick<Response, 'status' | 'ok' | 'headers' | 'text'>

/**
 * The response to a path, as soon as it is in the document; null if it does not come. Its text is that of the document: a
 * `Response` would encode and decode it, which takes longer than to read it where there are thousands of records.
 */
export async function documentRead(path: string, signal?: AbortSignal | null): Promise<TextResponse | null> {
  if (!announced.delete(path) || performance.now() > maxAge) return null
  const found = blockOf(path, signal)
  waiting.add(found)
  const block = await found.finally(() => waiting.delete(found))
  if (!block) return null
  block.remove()
  // Both are written by the gateway.
  const headers = JSON.parse(block.dataset.headers ?? '[]') as [string, string][]
  const status = Number(block.dataset.status)
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: new Headers(headers),
    text: async () => block.textContent,
  }
}

function blockOf(path: string, signal?: AbortSignal | null): Promise<HTMLScriptElement | null> {
  return new Promise((found, fail) => {
    const check = () => {
      const block = document.querySelector<HTMLScriptElement>(`script[data-read="${CSS.escape(path)}"]`)
      const isLoading = document.readyState === 'loading'
      // A script may be there before all of its text; then nothing follows it yet.
      if (block?.nextSibling || !isLoading) done(() => found(block))
    }
    const stop = () => done(() => fail(signal?.reason))
    const observer = new MutationObserver(check)
    const done = (settle: () => void) => {
      observer.disconnect()
      document.removeEventListener('readystatechange', check)
      signal?.removeEventListener('abort', stop)
      settle()
    }
    observer.observe(document.documentElement, { childList: true, subtree: true })
    document.addEventListener('readystatechange', check)
    signal?.addEventListener('abort', stop)
    check()
  })
}

/** Entry point of the console. */
import './stylesheets.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { announceDocumentReads, whenDocumentReadsSettle } from './api/document/documentReads.ts'
import { loadInitialState } from './api/initialState.ts'
import { queryClient } from './api/queryClient.ts'
import { router } from './routes.tsx'
import { extractLinkToken } from './shell/session/linkToken.ts'

// zod's compiled parsers need eval, which the page's security policy forbids. It reads this
// setting before its first schema is created; `z.config({ jitless: true })` would come too late.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
extractLinkToken()
loadInitialState()
announceDocumentReads()

/** Milliseconds that the first drawing waits for data which comes with the document. */
const firstDataTimeout = 150

void draw()

/** Draws the page in place of its outline, once its code and its first data are there. */
async function draw(): Promise<void> {
  await router.load()
  await whenDocumentReadsSettle(firstDataTimeout)
  const container = document.getElementById('root')
  if (!container) throw new Error('index.html has no #root')
  // A transition lets the browser handle input while the page is drawn.
  startTransition(() =>
    createRoot(container).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

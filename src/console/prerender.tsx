/** Draws pages without data while the console is built (`src/build/prerender.ts`): the same components, without a browser. */
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { Connection } from '#contract/connections.ts'
import type { Variant } from '#contract/kernel.ts'
import type { Stage } from '#contract/stages.ts'
import { connectionsQuery } from './api/connections.ts'
import { loadedSamples } from './api/initialState.ts'
import { queryClient } from './api/queryClient.ts'
import { sessionQuery } from './api/session.ts'
import { router } from './routes.tsx'
import { MuiProvider } from './ui/theme/MuiProvider.tsx'

export interface PrerenderOptions {
  path: string
  signedIn: boolean
  connection: { id: string; name: string; variant: Variant; stage: Stage; readOnly: boolean }
}

/** @returns the markup of a page before its data, with the styles of MUI's components between the tags */
export async function prerender({ path, signedIn, connection }: PrerenderOptions): Promise<string> {
  const full: Connection = {
    ...connection,
    baseUrl: 'https://deployment.invalid',
    naming: 'neutral',
    allowPrivate: false,
    createdAt: '',
    updatedAt: '',
  }
  queryClient.clear()
  queryClient.setQueryData(sessionQuery.queryKey, { signedIn, passwordOffered: true, build: '' })
  queryClient.setQueryData(connectionsQuery.queryKey, [full])
  // The gateway hides the place for the notice where there is no sample data.
  loadedSamples.add(connection.id)
  const here = createRouter({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) })
  await here.load()
  return renderToString(
    <MuiProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={here} />
      </QueryClientProvider>
    </MuiProvider>,
  )
}

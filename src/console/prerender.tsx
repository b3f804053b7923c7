/**
 * The interface of the console for the build (`src/build/compiledConsole.ts`): pages without data, drawn by the same components
 * without a browser, and the first reads of each page.
 */
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { Connection } from '#contract/console/connections.ts'
import type { Endpoint, Variant } from '#contract/wire/kernel.ts'
import type { Stage } from '#contract/console/stages.ts'
import { connectionsQuery } from './api/connections.ts'
import { loadedSamples } from './api/initialState.ts'
import { queryClient } from './api/queryClient.ts'
import { sessionQuery } from './api/session.ts'
import type { PageName } from './paths/pages.ts'
import { readsOf } from './routes/page.ts'
import { router } from './routes.tsx'
import { firingRead } from '#console/frame/FiringAlertsPoll.tsx'
import { sampleRead } from '#console/frame/SampleNotice.tsx'
import { MuiProvider } from './ui/theme/MuiProvider.tsx'

export interface PrerenderOptions {
  path: string
  signedIn: boolean
  connection: { id: string; name: string; variant: Variant; stage: Stage; readOnly: boolean }
}

/** The names of what a page reads first: `alerts.list`. */
export const pageReads = async (name: PageName): Promise<string[]> => (await readsOf(name)).map(nameOf)

/** The names of what the frame reads in the background, on pages that show telemetry or not. */
export const frameReads = (showsTelemetry: boolean): string[] =>
  [firingRead, ...(showsTelemetry ? [sampleRead] : [])].map(nameOf)

const nameOf = ({ resource, verb }: Endpoint): string => `${resource}.${verb}`

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
  const pageRouter = createRouter({ ...router.options, history: createMemoryHistory({ initialEntries: [path] }) })
  await pageRouter.load()
  return renderToString(
    <MuiProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={pageRouter} />
      </QueryClientProvider>
    </MuiProvider>,
  )
}

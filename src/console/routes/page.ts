/** How a route is given its page. */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Arrival } from '../shell/routeData.ts'

/** What a page's file exports: the page, and the reads that it will want. */
interface PageModule {
  default: ComponentType
  reads?: (params: Record<string, string>, arrival: Arrival) => unknown
}

/** What the router tells a loader, as far as it matters here. */
export interface LoaderContext {
  params: Record<string, string>
  location: { searchStr: string }
  cause: 'preload' | 'enter' | 'stay'
}

/**
 * A page whose code comes with the first visit. Its reads start as soon as the code is there, on the way to it or when
 * a link is pointed at, and nobody waits for them: the page draws its own outline, then its data.
 */
export function page(load: () => Promise<PageModule>) {
  return {
    loader: async ({ params, location, cause }: LoaderContext) => {
      const { reads } = await load()
      reads?.(params, { search: location.searchStr, entered: cause === 'enter' })
    },
    // A search or a filter in the address is no arrival: what was read for the page stays.
    shouldReload: ({ cause }: Pick<LoaderContext, 'cause'>) => cause !== 'stay',
    component: lazyRouteComponent(load),
  }
}

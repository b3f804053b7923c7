/** How a route is given its page. */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/** What a page's file exports: the page, and the reads that it will want. */
interface PageModule {
  default: ComponentType
  reads?: (params: Record<string, string>) => unknown
}

/**
 * A page whose code comes with the first visit. Its reads start as soon as the code is there, on the way to it or when
 * a link is pointed at, and nobody waits for them: the page draws its own outline, then its data.
 */
export function page(load: () => Promise<PageModule>) {
  return {
    loader: async ({ params }: { params: Record<string, string> }) => {
      const { reads } = await load()
      reads?.(params)
    },
    // A search or a filter in the address is no arrival: what was read for the page stays.
    shouldReload: ({ cause }: { cause: 'preload' | 'enter' | 'stay' }) => cause !== 'stay',
    component: lazyRouteComponent(load),
  }
}

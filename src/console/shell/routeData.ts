/** What a route says about itself. Titles, breadcrumbs, navigation and palette entries all come from here. */
import type { QueryKey } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { ResourceName } from '#contract/index.ts'

export const navGroups = ['Stack', 'Cloud', 'Console'] as const

export interface NavData {
  group: (typeof navGroups)[number]
  icon: LucideIcon
  /** What the deployment must offer for the page to be of use. */
  resource?: ResourceName
  /** Pressed after `g`, goes to the page. */
  key?: string
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's name, in breadcrumbs and in the title of the window. */
    title?: string
    /** Key of the read whose `name` says more than the title. */
    record?: (params: Record<string, string>) => QueryKey
    nav?: NavData
    /** Fills the window to its edge, below the frame: no notice above it. */
    showsSample?: boolean
  }
}

/** The metadata of a route. Titles, breadcrumbs, navigation and palette entries use it. */
import type { QueryKey } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { ResourceName } from '#contract/index.ts'
import type { Variant } from '#contract/kernel.ts'

export const navGroups = ['Stack', 'Cloud', 'Organization', 'Environments', 'Console'] as const

export interface NavData {
  group: (typeof navGroups)[number]
  icon: LucideIcon
  /** Below the title of its group, if the page's own title says too much there. */
  name?: string
  /** What the deployment must offer for the page to be of use, and the variants in whose specification it is. */
  needs?: { resource: ResourceName; variants: readonly Variant[] }
  /** Of the console itself, if only those find the page who may add people, or only the others. */
  audience?: 'administrators' | 'others'
  /** Pressed after `g`, goes to the page. */
  key?: string
  /** Shows the number of alerts that fire. */
  countsFiring?: boolean
  /** Shows the number of change requests that wait for approval. */
  countsWaiting?: boolean
}

/** What the page makes: the palette offers it from everywhere. */
export interface CreateData {
  /** "New dashboard"; the page's own title where it is left out. */
  title?: string
  /** What opens the form, where the page has more than that. */
  search?: Record<string, string>
  /** What the deployment must let be changed for that, and the variants that are known to. */
  changes?: { resource: ResourceName; variants: readonly Variant[] }
}

/** How a page is opened, for the reads that it prefetches. */
export interface Arrival {
  /** The query string of the address. */
  search: string
  /** Whether it is opened now. False: a link to it was pointed at. */
  entered: boolean
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's name, in breadcrumbs and in the title of the window. */
    title?: string
    /** Key of the read whose `name` says more than the title; or of a list with it, found by its id in the address. */
    record?: (params: Record<string, string>) => QueryKey
    nav?: NavData
    creates?: CreateData
    /** Shows telemetry, with a notice if it is sample data. */
    showsSample?: boolean
  }
}

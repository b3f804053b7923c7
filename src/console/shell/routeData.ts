/** The metadata of a route. Titles, breadcrumbs, navigation and palette entries use it. */
import type { QueryKey } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { ResourceName } from '#contract/index.ts'
import type { Variant } from '#contract/wire/kernel.ts'

/** The groups of the navigation in their order; the first needs no heading. */
export const navGroups = ['Observe', 'Configure', 'Cloud', 'Changes'] as const

/** The groups of Settings, which is one entry of the navigation. */
export const settingsGroups = ['This console', 'Access', 'Telemetry', 'Cost'] as const

export interface NavData {
  /** Where it is listed. Left out: it is a tab of its section, under the entry that has a group. */
  group?: (typeof navGroups)[number] | (typeof settingsGroups)[number] | 'Settings'
  /** Pages with the same one are tabs of each other. */
  section?: 'Explorer' | 'Search' | 'Environments' | 'Audit'
  /** Its name as a tab, if the page's own title says too much there. */
  tab?: string
  icon: LucideIcon
  /** The endpoint that the deployment must offer for the page to be of use, and the variants in whose specification it is. */
  needs?: {
    resource: ResourceName
    variants: readonly Variant[]
    /** Where there is a connection of one of the variants, the page leads to it. */
    orElsewhere?: true
  }
  /** For pages of the console itself: whether only people who may add others find the page, or only people who may not. */
  audience?: 'administrators' | 'others'
  /** Pressed after `g`, goes to the page. */
  key?: string
  /** Shows the number of alerts that fire. */
  countsFiring?: boolean
  /** Shows the number of change requests that wait for approval. */
  countsWaiting?: boolean
}

/** The pages of a resource whose records have a list, a page, and forms of their own. */
export interface RecordPages extends Pick<NavData, 'group' | 'section' | 'icon'> {
  /** Pressed after `g`, opens the list. */
  key: string
  /** The variants in whose specification the resource is, and those where one can be created. */
  variants: readonly Variant[]
  creates: readonly Variant[]
  /** The read with the record's name, for the breadcrumbs: of one record, or of all. */
  named: 'get' | 'list'
}

/** The record that the page creates: the palette offers it from everywhere. */
export interface CreateData {
  /** "New dashboard"; the page's own title where it is left out. */
  title?: string
  /** The query that opens the form, where the page has more than that. */
  search?: Record<string, string>
  /** The endpoint that the deployment must let be changed for that, and the variants that are known to. */
  changes?: { resource: ResourceName; variants: readonly Variant[] }
}

/** How a page is opened, for what it prefetches. */
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
    /** Where a page without an entry of its own belongs. */
    section?: NonNullable<NavData['section']>
    creates?: CreateData
  }
}

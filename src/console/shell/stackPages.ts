import { Bell, Database, TextSearch, Webhook } from 'lucide-react'
import type { Variant } from '#contract/wire/kernel.ts'
import type { RecordPages } from './routeData.ts'

const both: readonly Variant[] = ['openSource', 'managed']
const openSource: readonly Variant[] = ['openSource']

/** The resources of the stack that have a list, a page, and forms of their own, in the order of the navigation. */
export const stackPages = {
  alerts: { group: 'Observe', icon: Bell, key: 'a', variants: both, creates: both, named: 'get' },
  sources: { group: 'Configure', icon: Database, key: 's', variants: both, creates: openSource, named: 'list' },
  webhooks: { group: 'Configure', icon: Webhook, key: 'w', variants: openSource, creates: openSource, named: 'list' },
  savedSearches: { section: 'Search', icon: TextSearch, key: 'q', variants: both, creates: both, named: 'get' },
} as const satisfies Record<string, RecordPages>

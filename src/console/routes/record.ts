/** The routes of a resource with the four pages of the record kit: list, new, detail and edit. */
import { createRoute } from '@tanstack/react-router'
import type { ResourceName } from '#contract/index.ts'
import type { Variant } from '#contract/wire/kernel.ts'
import { formatResourceName } from '#contract/wire/naming.ts'
import { capitalized } from '#domain/text/words.ts'
import { queryKey } from '../api/queryClient.ts'
import type { PageName } from '../paths/pages.ts'
import type { NavData } from '../shell/routeData.ts'
import { connection } from './frame.tsx'
import { below, page, validIds } from './page.ts'

/** The name of a list: `alerts`, `savedSearches`. */
type Plural<N extends string> = N extends `${string}ch` ? `${N}es` : `${N}s`

/** Resources whose pages are called like those of alerts: `alerts`, `newAlert`, `alert`, `editAlert`. */
type Noun = {
  [Name in PageName]: Plural<Name> | `new${Capitalize<Name>}` | `edit${Capitalize<Name>}` extends PageName
    ? Name
    : never
}[PageName]

interface RecordRoutes extends Pick<NavData, 'group' | 'section' | 'icon'> {
  /** Pressed after `g`, opens the list. */
  key: string
  /** The variants in whose specification the resource is, and those where one can be created. */
  variants: readonly Variant[]
  creates: readonly Variant[]
  /** The read with the record's name, for the breadcrumbs: of one record, or of all. */
  named: 'get' | 'list'
}

/** The routes of a resource's pages, below its list. */
export function recordRoutes<N extends Noun>(noun: N, { key, variants, creates, named, ...place }: RecordRoutes) {
  const resource = `${noun}${noun.endsWith('ch') ? 'es' : 's'}` as Plural<N> & ResourceName // every noun is that of a resource
  const [newPage, editPage] = [`new${capitalized(noun)}`, `edit${capitalized(noun)}`] as [
    `new${Capitalize<N>}`,
    `edit${Capitalize<N>}`,
  ] // `capitalized` does what Capitalize says
  const list = createRoute({
    getParentRoute: () => connection,
    path: below(resource, 'connectionHome'),
    staticData: {
      title: capitalized(formatResourceName(resource)),
      nav: { ...place, key, needs: { resource, variants }, countsFiring: resource === 'alerts' },
    },
  })
  const record = createRoute({
    getParentRoute: () => list,
    path: below(noun, resource),
    params: { parse: validIds as never }, // the types of a generic path stay open
    staticData: {
      title: capitalized(formatResourceName(noun)),
      record: ({ connectionId = '', [`${noun}Id`]: id = '' }) =>
        named === 'list'
          ? queryKey(connectionId, { resource, verb: 'list' }, {})
          : queryKey(connectionId, { resource, verb: 'get' }, { params: { [`${noun}Id`]: id } }),
    },
  })
  // Each in a constant: inside of the call the compiler would forget their types.
  const home = createRoute({ getParentRoute: () => list, path: '/', ...page(resource) })
  const create = createRoute({
    getParentRoute: () => list,
    path: below(newPage, resource),
    staticData: { title: `New ${formatResourceName(noun)}`, creates: { changes: { resource, variants: creates } } },
    ...page(newPage),
  })
  const detail = createRoute({ getParentRoute: () => record, path: '/', ...page(noun) })
  const edit = createRoute({
    getParentRoute: () => record,
    path: below(editPage, noun),
    staticData: { title: 'Edit' },
    ...page(editPage),
  })
  return list.addChildren([home, create, record.addChildren([detail, edit])])
}

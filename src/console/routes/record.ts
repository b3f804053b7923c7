/** The routes of a resource with the four pages of the record kit: list, new, detail and edit. */
import { createRoute } from '@tanstack/react-router'
import type { ResourceName } from '#contract/index.ts'
import { formatResourceName, singular } from '#contract/wire/naming.ts'
import { capitalized } from '#domain/text/words.ts'
import { queryKey } from '../api/queryClient.ts'
import type { PageName } from '../paths/pages.ts'
import type { RecordPages } from '../shell/routeData.ts'
import { connection } from './frame.tsx'
import { below, page, validIds } from './page.ts'

/** The name of a list: `alerts`, `savedSearches`. */
type Plural<N extends string> = N extends `${string}ch` ? `${N}es` : `${N}s`

/** Resources whose pages are called like those of alerts: `alerts`, `newAlert`, `alert`, `editAlert`. */
type RecordResource = {
  [Name in PageName]: Plural<Name> | `new${Capitalize<Name>}` | `edit${Capitalize<Name>}` extends PageName
    ? Extract<Plural<Name>, ResourceName>
    : never
}[PageName]

/** The routes of a resource's pages, below its list. */
export function recordRoutes(resource: RecordResource, { key, variants, creates, named, ...place }: RecordPages) {
  const noun = singular(resource)
  // `RecordResource` says that there are such pages.
  const [newPage, editPage] = [`new${capitalized(noun)}`, `edit${capitalized(noun)}`] as [PageName, PageName]
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
    params: { parse: validIds as never }, // the path may be that of any resource
    staticData: {
      title: capitalized(formatResourceName(noun)),
      record: ({ connectionId = '', [`${noun}Id`]: id = '' }) =>
        named === 'list'
          ? queryKey(connectionId, { resource, verb: 'list' }, {})
          : queryKey(connectionId, { resource, verb: 'get' }, { params: { [`${noun}Id`]: id } }),
    },
  })
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

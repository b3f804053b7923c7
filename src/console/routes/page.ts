/** How a route gets its path and its page from the table of pages. */
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement } from 'react'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { pathIdPattern } from '#contract/wire/pathId.ts'
import { capitalized } from '#domain/text/words.ts'
import type { PageReads } from '../api/queries.ts'
import { pages, type PageName, type PageUrl } from '../paths/pages.ts'
import type { Arrival } from '../shell/routeData.ts'

interface PageData {
  reads?: PageReads
  /** Starts what else the page needs. */
  prefetch?: (params: Record<string, string>, arrival: Arrival) => unknown
}

/** The exports of a page's file. */
interface PageModule extends PageData {
  default: ComponentType
}

/** The exports of a file with several pages: each has its data as properties. */
type PagesModule = Readonly<Record<string, ComponentType & PageData>>

/** The part of a loader's context that matters here. */
interface LoaderContext {
  params: Record<string, string>
  location: { searchStr: string }
  cause: 'preload' | 'enter' | 'stay'
}

const modules = import.meta.glob<PageModule>('../features/**/*Page.tsx')
const modulesOfSeveral = import.meta.glob<PagesModule>('../features/**/*Pages.tsx')

/**
 * A page whose code is loaded on the first visit. Its reads start as soon as the code is loaded, on navigation or when
 * the pointer rests on a link. Nothing waits for them: the page draws its own outline, then its data.
 */
export function page(name: PageName) {
  const load = moduleOf(name)
  return {
    loader: async (context: unknown) => {
      // The router infers the parameters of a route from what its loader takes: this one takes those of any route.
      const { params, location, cause } = context as LoaderContext
      const { reads, prefetch } = await load()
      reads?.(params)
      prefetch?.(params, { search: location.searchStr, entered: cause === 'enter' })
    },
    // A search or a filter in the URL is not a new visit: the data of the page stays.
    shouldReload: ({ cause }: Pick<LoaderContext, 'cause'>) => cause !== 'stay',
    component: lazyRouteComponent('withMui' in pages[name] ? () => withMui(load) : load),
  }
}

/** The endpoints that a page reads first. */
export async function readsOf(name: PageName): Promise<readonly Endpoint[]> {
  const { reads } = await moduleOf(name)()
  return reads?.endpoints ?? []
}

function moduleOf(name: PageName): () => Promise<PageModule> {
  const file = `../${pages[name].file}`
  const load = modules[file]
  if (load) return load
  const loadSeveral = modulesOfSeveral[file]
  return async () => {
    const Page = (await loadSeveral?.())?.[`${capitalized(name)}Page`]
    if (!Page) throw new Error(`No file draws the page "${name}": see src/console/paths/pages.ts.`)
    return { ...Page, default: Page }
  }
}

/** The page within the surroundings of MUI, both loaded at once. */
async function withMui(load: () => Promise<PageModule>): Promise<{ default: ComponentType }> {
  const [{ default: Page }, { MuiProvider }] = await Promise.all([load(), import('../ui/theme/MuiProvider.tsx')])
  return { default: () => createElement(MuiProvider, null, createElement(Page)) }
}

type Below<Url extends string, Parent extends string> = Url extends `${Parent}/${infer Rest}` ? Rest : never

/** The path of a page's route below the route of another page: `$alertId` of `alert` below `alerts`. */
export function below<Name extends PageName, Parent extends PageName>(
  name: Name,
  parent: Parent,
): Below<PageUrl<Name>, PageUrl<Parent>> {
  // The removed part is the URL of the parent, by type.
  return pages[name].url.slice(pages[parent].url.length + 1) as Below<PageUrl<Name>, PageUrl<Parent>>
}

/** The parameters where each has the shape of an ID. A URL without them does not match: the not-found page is shown. */
export function validIds<Params extends object>(params: Params): Params | false {
  return Object.values(params).every((id) => pathIdPattern.test(String(id))) && params
}
